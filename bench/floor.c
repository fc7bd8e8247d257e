/* The floor: `classic` and nothing else, as tight as C makes it. It shares no line with the engine.
 *
 * In this game both players always lay equally many cards, so one `top` serves both piles, and
 * `held` tells how many cards lie under it in the first one; the second one holds the others. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A battle lays at most 26 cards of each player, so a game never comes to the end of a pile's room;
 * the rest is what `copy` may write too much. */
enum { DECK = 52, HALF = DECK / 2, RANKS = 13, CAP = 500, ROOM = CAP * HALF + 2 * DECK + 8 };

struct totals {
    int64_t battles, wars, first_wins, second_wins;
};

static uint64_t next_word(uint64_t *state) {
    uint64_t bits = *state += 0x9E3779B97F4A7C15;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
    return bits ^ bits >> 31;
}

static uint32_t draw_below(uint64_t *state, uint32_t bound) {
    for (;;) {
        uint64_t product = (next_word(state) >> 32) * bound;
        uint32_t low = (uint32_t)product;
        /* The remainder is smaller than the bound, so it is hardly ever worth its division. */
        if (low >= bound || low >= -bound % bound)
            return product >> 32;
    }
}

/* Eight cards at once: what is too much lies beyond the end of a pile, and is written over later. */
static void copy(uint8_t *to, const uint8_t *from, size_t cards) {
    size_t done = 0;
    do {
        uint64_t eight;
        memcpy(&eight, from + done, 8);
        memcpy(to + done, &eight, 8);
        done += 8;
    } while (__builtin_expect(done < cards, 0));
}

void play(const uint64_t *codes, size_t games, struct totals *totals) {
    static uint8_t one[ROOM], two[ROOM];
    struct totals sum = {0, 0, 0, 0};
    for (size_t game = 0; game < games; game++) {
        uint64_t state = codes[game];
        uint8_t deck[DECK];
        for (int card = 0; card < DECK; card++)
            deck[card] = card % RANKS;
        for (uint32_t last = DECK - 1; last > 0; last--) {
            uint32_t other = draw_below(&state, last + 1);
            uint8_t card = deck[last];
            deck[last] = deck[other];
            deck[other] = card;
        }
        for (int card = 0; card < HALF; card++) {
            one[card] = deck[2 * card];
            two[card] = deck[2 * card + 1];
        }
        size_t top = 0, held = HALF;
        int battles = 0;
        while (battles < CAP && held - 1 < DECK - 1) {
            battles++;
            uint8_t mine = one[top], yours = two[top];
            size_t end_one = top + held, end_two = top + DECK - held;
            /* Who wins is a coin to the processor, so nothing branches on it: both piles get the
             * cards, and only the winner's grows over them. */
            if (__builtin_expect(mine != yours, 1)) {
                one[end_one] = two[end_two + 1] = mine;
                one[end_one + 1] = two[end_two] = yours;
                held += mine > yours ? 1 : -1;
                top++;
                continue;
            }
            size_t up = top;
            do {
                sum.wars++;
                up += 2;
            } while (up < end_one && up < end_two && one[up] == two[up]);
            if (up >= end_one || up >= end_two) {
                if (end_one != end_two)
                    held = end_one > end_two ? DECK : 0;
                break;
            }
            size_t laid = up + 1 - top;
            copy(one + end_one, one + top, laid);
            copy(one + end_one + laid, two + top, laid);
            copy(two + end_two, two + top, laid);
            copy(two + end_two + laid, one + top, laid);
            held += one[up] > two[up] ? laid : -laid;
            top += laid;
        }
        sum.battles += battles;
        sum.first_wins += held == DECK;
        sum.second_wins += held == 0;
    }
    *totals = sum;
}
