// Draws the state that the kernel sends; no rule of the game is decided here.

const make = (tag, className, parent, attributes = {}) => {
  const node = document.createElement(tag);
  if (className) node.className = className;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  parent?.append(node);
  return node;
};

const plural = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

function build(el) {
  const board = make("section", "war-board", el, { "aria-label": "War, the table" });
  const top = make("div", "war-top", board);
  const parts = {
    board,
    rules: make("span", "war-chip", top),
    code: make("span", "war-chip", top),
    battle: make("span", "war-battle", top),
    table: make("div", "war-table", board),
    seats: [],
    stake: make("p", "war-stake"),
    say: make("p", "war-say", board),
    words: make("ul", "war-words", board, { "aria-label": "Rules, the one in force marked" }),
    // It has to be there, and empty, before the first news for every screen reader to hear it.
    status: make("p", "war-status", board, { role: "status", "aria-live": "polite" }),
  };
  return parts;
}

function buildSeats(parts, names) {
  parts.table.replaceChildren();
  // The first seat is the reader's, so it comes last, nearest to the hand that plays.
  parts.seats = names.map(() => {
    const row = make("section", "war-seat");
    const stack = make("div", "war-stack", row, { "aria-hidden": "true" });
    const label = make("div", "war-label", row);
    return {
      row,
      stack,
      name: make("h3", "war-name", label),
      count: make("p", "war-count", label),
      won: make("p", "war-won", label),
      cards: make("ul", "war-cards", row),
    };
  });
  const [own, ...others] = parts.seats;
  parts.table.append(...others.map((seat) => seat.row), parts.stake, own.row);
}

function drawStack(node, count, back) {
  const thickness = Math.min(4, Math.ceil(count / 9));
  if (node.childElementCount === thickness) return;
  node.innerHTML = back.repeat(thickness);
  [...node.children].forEach((card, place) => card.style.setProperty("--place", place));
}

function drawCards(list, cards, back) {
  const wanted = cards.map((card) => card.name);
  const kept = [...list.children].map((item) => item.dataset.name);
  // Cards that lie there already stay as they are, so that only new ones move.
  let same = 0;
  while (same < kept.length && kept[same] === wanted[same]) same += 1;
  if (same < kept.length) same = 0;
  while (list.children.length > same) list.lastChild.remove();
  for (const card of cards.slice(same)) {
    const item = make("li", card.svg ? "up" : "down", list);
    item.dataset.name = card.name;
    const picture = make("span", "war-card", item, { role: "img", "aria-label": card.name });
    // Both pictures are drawn by the kernel's own code and hold no text of anybody else.
    picture.innerHTML = card.svg ?? back;
  }
  list.style.setProperty("--cards", cards.length);
}

function draw(parts, state, back) {
  if (!state.seats) return;
  if (parts.seats.length !== state.seats.length) buildSeats(parts, state.seats);
  parts.rules.textContent = `${state.rules} rules`;
  parts.code.textContent = state.code === null ? "Dealt by hand" : `Deal ${state.code}`;
  const cap = state.cap === null ? "" : ` of ${state.cap}`;
  parts.battle.textContent = `Battle ${state.battle}${cap}`;
  state.seats.forEach((seat, place) => {
    const shown = parts.seats[place];
    shown.row.setAttribute("aria-label", seat.name);
    shown.row.classList.toggle("takes", seat.takes);
    shown.row.classList.toggle("wins", seat.wins);
    shown.name.textContent = seat.name;
    shown.count.innerHTML = "<b></b> <small></small>";
    shown.count.firstChild.textContent = seat.count;
    shown.count.lastChild.textContent = seat.count === 1 ? "card" : "cards";
    shown.won.textContent = seat.won === null ? "" : `${seat.won} of them set aside`;
    shown.cards.setAttribute("aria-label", `Laid by ${seat.name}`);
    drawStack(shown.stack, seat.stack, back);
    drawCards(shown.cards, seat.cards, back);
  });
  parts.stake.innerHTML = state.stake ? "<b></b> <span></span>" : "&nbsp;";
  if (state.stake) {
    parts.stake.firstChild.textContent = plural(state.stake, "card");
    parts.stake.lastChild.textContent = state.taken ? "taken" : "on the table";
  }
  parts.say.textContent = state.shown;
  parts.words.replaceChildren();
  for (const [about, words] of Object.entries(state.words)) {
    const item = make("li", about === state.lit ? "lit" : "", parts.words);
    const text = make(about === state.lit ? "mark" : "span", "", item);
    text.textContent = words;
  }
  parts.board.classList.toggle("over", Boolean(state.over));
}

function tellButtons(el, state) {
  const game = el.closest(".war-game");
  if (!game) return;
  // A disabled button would drop the focus, so these only say that they rest.
  for (const button of game.querySelectorAll(".war-turn, .war-ten")) {
    button.setAttribute("aria-disabled", String(Boolean(state.over)));
  }
}

// A notebook acts on keys, and a button that is held down repeats: neither is meant here. The
// window hears a key before anything else on the page does.
function guardKeys(el) {
  const guard = (event) => {
    const game = el.closest(".war-game");
    if (!game?.contains(event.target)) return;
    const enter = event.key === "Enter";
    if (event.repeat && (enter || event.key === " ") && event.target.closest("button")) {
      event.preventDefault();
    }
    if (enter || !(event.ctrlKey || event.metaKey || event.altKey)) {
      event.stopImmediatePropagation();
    }
  };
  window.addEventListener("keydown", guard, true);
  return () => window.removeEventListener("keydown", guard, true);
}

function render({ model, el }) {
  const parts = build(el);
  let drawn = false;
  const update = () => {
    const state = model.get("state");
    draw(parts, state, model.get("back"));
    tellButtons(el, state);
    // The first state is the page's content, not news.
    if (drawn) parts.status.textContent = state.spoken;
    drawn = true;
  };
  update();
  // The buttons beside the board join the page after it.
  const later = requestAnimationFrame(() => tellButtons(el, model.get("state")));
  const release = guardKeys(el);
  model.on("change:state", update);
  return () => {
    cancelAnimationFrame(later);
    release();
    model.off("change:state", update);
  };
}

export default { render };
