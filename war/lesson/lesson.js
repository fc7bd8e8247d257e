// The lesson around the tables: draws the view that the kernel sends and passes on what a pupil
// answers. It holds no key: what is right comes from the kernel when it has been tried.

const ANSWERS = "war-lesson";
const NO_ANSWERS = "{}";

// Two stars around words make them bold, and [words](play.ipynb) is a link to another notebook's page.
// Where notebooks are no pages, they lie beside this one, and its name is enough to find it.
function rich(node, text) {
  for (const part of text.split(/(\*\*.+?\*\*|\[.+?\]\(\w+\.ipynb\))/)) {
    const [, bold, words, href] = /^(?:\*\*(.+)\*\*|\[(.+)\]\((.+)\))$/.exec(part) ?? [];
    if (words && inVoila()) labelled("a", "lesson-link", node, words, { href });
    else if (bold || words) labelled("b", "", node, bold ?? words);
    else node.append(part);
  }
  return node;
}

const para = (parent, className, text) => rich(make("p", className, parent), text);

// What a pupil does next with a part of the page.
const NEXT = ".answer:not([aria-disabled=true]), .lesson-written input, .war-main";

// An element that a later picture of the same page has too, so that the focus finds it again.
const keyed = (node, key) => {
  node.dataset.key = key;
  return node;
};

function picture(parent, card) {
  const node = make("span", "pic", parent, { role: "img", "aria-label": card.name });
  node.innerHTML = card.svg; // Drawn by the kernel's own code.
  return node;
}

const depth = (value) =>
  value instanceof Object ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;

function keptAnswers() {
  try {
    const answers = JSON.parse(kept(localStorage, ANSWERS)) ?? {};
    // What is deeper than answers ever are could not be sent, and so would cost the lesson its begin.
    return depth(answers) < 9 ? answers : {};
  } catch {
    return {};
  }
}

// --- the parts of a step -----------------------------------------------------------------------

function drawLevels(parent, view, ask) {
  labelled("h2", "lesson-title", parent, "Choose your level", { tabindex: -1 }).dataset.key = "title";
  const list = make("div", "lesson-levels", parent);
  for (const level of view.levels) {
    const choice = keyed(button(list, "", () => ask({ ask: "level", level: level.name }), "level"), level.name);
    labelled("b", "", choice, level.title);
    labelled("span", "ages", choice, `Ages ${level.ages}`);
    labelled("span", "", choice, level.promise);
  }
  const form = make("form", "lesson-deal", parent);
  const label = labelled("label", "war-field", form, "Deal code of your class");
  const code = make("input", "", label, { inputmode: "numeric", autocomplete: "off", "aria-describedby": "lesson-deal-told" });
  keyed(code, "deal").value = view.deal;
  keyed(labelled("button", "", form, "Use this deal", { type: "submit" }), "use-deal");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    code.removeAttribute("aria-invalid");
    ask({ ask: "deal", code: code.value.trim(), kept: keptAnswers() });
  });
  make("p", "lesson-told", form, { id: "lesson-deal-told" });
}

function drawHead(parent, view, ask) {
  const head = make("div", "lesson-head", parent);
  labelled("span", "war-chip", head, `${view.name}, ages ${view.ages}`);
  labelled("span", "war-chip", head, `Deal ${view.deal}`);
  const nav = make("nav", "lesson-steps", parent, { "aria-label": "Steps" });
  const list = make("ol", "", nav);
  view.steps.forEach((step, place) => {
    const item = make("li", "", list);
    const state = [step.done && "done", place === view.at && "now"].filter(Boolean);
    const go = keyed(button(item, "", () => ask({ ask: "go", step: place }), state.join(" ")), `step-${place}`);
    const last = place + 1 === view.steps.length;
    labelled("span", "", go, step.done ? "✓" : last ? "★" : place + 1, { "aria-hidden": "true" });
    const name = `Step ${place + 1}: ${step.title}${step.done ? ", done" : ""}`;
    go.setAttribute("aria-label", name);
    go.title = step.title;
    if (place === view.at) go.setAttribute("aria-current", "step");
  });
}

function drawPiles(parent, piles, big) {
  if (!piles.length) return;
  const row = make("div", `lesson-piles${big ? " big" : ""}`, parent);
  for (const { owner, cards } of piles) {
    const pile = make("div", "pile", row);
    if (owner) labelled("b", "", pile, owner);
    const fan = make("div", "fan", pile);
    for (const card of cards) picture(fan, card);
  }
}

function drawPredict(parent, { predict, piles }, ask) {
  const locked = predict.locked !== null;
  const part = make("section", `lesson-part predict${locked ? " locked" : ""}`, parent, { "aria-label": "Predict", "data-part": predict.name });
  labelled("span", "lesson-tag", part, "Predict");
  if (!locked) drawPiles(part, piles, true);
  labelled("h3", "ask", part, predict.text);
  if (locked) {
    const line = make("p", "lesson-locked", part);
    line.append("Locked in: ");
    labelled("b", "", line, predict.answers[predict.locked]);
    if (predict.open) {
      keyed(button(part, "Change it", () => ask({ ask: "change" }), "quiet"), "change");
    }
    return;
  }
  const list = make("div", "lesson-answers", part, { role: "group", "aria-label": predict.text });
  predict.answers.forEach((answer, place) => {
    keyed(
      button(list, answer, () => ask({ ask: "predict", name: predict.name, answer: place }), "answer"),
      `predict-${place}`,
    );
  });
}

const PLAY = { ten: "Play 10 battles", end: "To the end" };

function drawPlay(parent, { play }, ask) {
  const part = make("section", `lesson-part play${play.done ? " done" : ""}`, parent, { "aria-label": "Play" });
  labelled("span", "lesson-tag", part, "Play");
  keyed(para(part, "task", play.task), "task").tabIndex = -1;
  if (!play.buttons.length) return;
  const row = make("div", "war-row", part);
  for (const how of play.buttons) {
    const main = !play.done && how === play.buttons.at(-1) ? "war-main" : "";
    keyed(button(row, PLAY[how], () => ask({ ask: "play", how }), main), how);
  }
}

function drawCompare(parent, { compare }) {
  const part = make("section", "lesson-part compare", parent, { "aria-label": "Compare" });
  labelled("span", "lesson-tag", part, "Compare");
  const pair = make("dl", "lesson-pair", part);
  const add = (name, text) => {
    const group = make("div", "", pair);
    labelled("dt", "", group, name);
    labelled("dd", "", group, text);
  };
  add("You predicted", compare.said);
  add("What happened", compare.told);
  labelled("p", "lesson-same", part, compare.verdict);
}

function drawRows(parent, caption, head, rows) {
  const table = make("table", "", parent);
  labelled("caption", "", table, caption);
  const line = make("tr", "", make("thead", "", table));
  for (const title of head) labelled("th", "", line, title, { scope: "col" });
  const body = make("tbody", "", table);
  for (const [first, ...cells] of rows) {
    const row = make("tr", "", body);
    labelled("th", "", row, first, { scope: "row" });
    for (const cell of cells) labelled("td", "", row, cell);
  }
}

function drawFold(parent, key, title, open) {
  const details = fold(parent, title, () => open[details.open ? "add" : "delete"](key));
  details.open = open.has(key);
  keyed(details.firstChild, key);
  return details;
}

function drawMany(parent, { many }, ask, open) {
  const part = make("section", "lesson-part many", parent, { "aria-label": "Many rounds" });
  labelled("span", "lesson-tag", part, "Many rounds");
  const row = make("div", "war-row", part, { role: "group", "aria-label": "How many rounds" });
  for (const count of many.counts) {
    const choice = button(row, `${count.toLocaleString("en")} rounds`, () => ask({ ask: "many", count }));
    keyed(choice, `many-${count}`).setAttribute("aria-pressed", String(count === many.count));
  }
  make("div", "lesson-chart", part).innerHTML = many.svg; // Drawn by the kernel's own code.
  labelled("p", "", part, many.summary);
  drawRows(drawFold(part, "many-table", "The picture as a table", open), "How long the rounds lasted", many.head, many.rows);
}

function drawHints(part, { name, hints, more }, ask, done) {
  if (hints.length) {
    const list = make("ol", "lesson-hints", part, { "aria-label": "Hints" });
    for (const hint of hints) labelled("li", "", list, hint);
  }
  if (more && !done) {
    const which = hints.length ? "Another hint" : "A hint, please";
    keyed(button(part, which, () => ask({ ask: "hint", name }), "quiet"), `hint-${name}`);
  }
}

function drawFeedback(part, question) {
  if (!question.feedback) return;
  const box = make("p", `lesson-feedback ${question.right ? "right" : "wrong"}`, part);
  labelled("b", "", box, `${question.right ? "✓" : "✗"} ${question.verdict}`);
  box.append(" ");
  box.append(question.feedback);
}

function drawChoices(part, question, ask) {
  const list = make("div", "lesson-answers", part, { role: "group", "aria-label": question.text });
  question.answers.forEach((answer, place) => {
    const state = answer.right ? "right" : answer.tried ? "wrong" : "";
    const give = () => question.right || ask({ ask: "try", name: question.name, answer: place });
    const choice = keyed(button(list, "", give, `answer ${state}`), `${question.name}-${place}`);
    if (state) {
      labelled("span", "mark", choice, state === "right" ? "✓" : "✗", { "aria-hidden": "true" });
    }
    if (answer.cards.length) {
      const fan = make("span", "fan", choice);
      for (const card of answer.cards) picture(fan, card);
      if (answer.cards.length > 1) list.classList.add("wide");
    } else choice.append(answer.text);
    if (state) labelled("span", "war-status", choice, state === "right" ? ", right" : ", tried, not right");
    if (question.right) choice.setAttribute("aria-disabled", "true");
    if (answer.cards.length) list.classList.add("with-cards");
  });
}

function drawWritten(part, question, ask, drafts) {
  const form = make("form", "lesson-written", part);
  const label = labelled("label", "war-field", form, "Cards, top card first, like 9H 2C KS");
  const input = make("input", "", label, { autocomplete: "off", autocapitalize: "characters", spellcheck: "false" });
  keyed(input, `write-${question.name}`);
  input.value = drafts[question.name] ?? question.typed;
  input.addEventListener("input", () => (drafts[question.name] = input.value));
  if (question.right) input.readOnly = true;
  else keyed(labelled("button", "", form, "Check", { type: "submit" }), `check-${question.name}`);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask({ ask: "try", name: question.name, answer: input.value });
  });
}

function drawQuestion(parent, question, ask, drafts, tag) {
  const part = make("section", `lesson-part question${question.right ? " solved" : ""}`, parent, {
    "aria-labelledby": `ask-${question.name}`,
    "data-part": question.name,
  });
  labelled("span", "lesson-tag", part, tag);
  labelled("h3", "ask", part, question.text, { id: `ask-${question.name}` });
  if (question.written) drawWritten(part, question, ask, drafts);
  else drawChoices(part, question, ask);
  drawFeedback(part, question);
  drawHints(part, question, ask, question.right);
}

// --- puzzles -----------------------------------------------------------------------------------

function drawPuzzle(parent, view, ask, drafts, say) {
  const { puzzle } = view;
  const tabs = make("div", "war-row lesson-tabs", parent, { role: "group", "aria-label": "Puzzles" });
  for (const each of view.puzzles) {
    const tab = keyed(button(tabs, `${each.solved ? "✓ " : ""}${each.title}`, () => ask({ ask: "puzzle", name: each.name })), `puzzle-${each.name}`);
    tab.setAttribute("aria-pressed", String(each.name === puzzle.name));
  }
  const part = make("section", "lesson-part puzzle", parent, { "aria-label": "Puzzle", "data-part": puzzle.name });
  labelled("h3", "ask", part, puzzle.text);
  drafts[puzzle.name] ??= [...puzzle.piles];
  const piles = drafts[puzzle.name];
  const order = (drafts[`${puzzle.name} order`] ??= []);
  const fields = [0, 1].map((place) => {
    const label = labelled("label", "war-field", part, `Pile of player ${place + 1}, top card first`);
    const input = make("textarea", "", label, { rows: 2, autocomplete: "off", autocapitalize: "characters", spellcheck: "false" });
    keyed(input, `pile-${place}`);
    return input;
  });
  const words = (place) => piles[place].split(/[\s,]+/).filter(Boolean);
  const laid = () => new Set([...words(0), ...words(1)].map((word) => word.toUpperCase().replace(/^T/, "10")));
  const to = make("fieldset", "lesson-to", part);
  labelled("legend", "", to, "A tapped card goes to");
  for (const [value, text] of [["0", "player 1"], ["1", "player 2"], ["2", "both in turn"]]) {
    const label = make("label", "war-switch", to);
    const radio = keyed(make("input", "", label, { type: "radio", name: "war-lesson-to", value }), `to-${value}`);
    radio.checked = value === (drafts.to ?? "2");
    radio.addEventListener("change", () => (drafts.to = value));
    label.append(text);
  }
  const deck = make("div", "lesson-deck", part, { role: "group", "aria-label": "Cards to lay" });
  const lay = (card) => {
    const to = drafts.to ?? "2";
    const place = to === "2" ? Number(words(0).length > words(1).length) : Number(to);
    order.push(place);
    piles[place] = [...words(place), card].join(" ");
    return place;
  };
  const lie = () => `${words(0).length} and ${words(1).length} cards.`;
  const chips = puzzle.deck.map(([card, name]) => {
    const suit = card.slice(-1);
    const chip = keyed(
      button(deck, "", () => {
        if (chip.getAttribute("aria-disabled") === "true") {
          say(`The ${name} is laid already.`);
          return;
        }
        const place = lay(card);
        show();
        say(`${name[0].toUpperCase()}${name.slice(1)} to player ${place + 1}. ${lie()}`);
      }, `chip ${"DH".includes(suit) ? "red" : ""}`),
      `chip-${card}`,
    );
    labelled("span", "", chip, card.slice(0, -1), { "aria-hidden": "true" });
    make("span", "suit", chip, { "aria-hidden": "true" }).innerHTML = puzzle.suits[suit];
    chip.setAttribute("aria-label", name);
    return [card, chip];
  });
  const show = () => {
    const used = laid();
    for (const [card, chip] of chips) chip.setAttribute("aria-disabled", String(used.has(card)));
    fields.forEach((field, place) => {
      if (field.value !== piles[place]) field.value = piles[place];
    });
  };
  fields.forEach((field, place) =>
    field.addEventListener("input", () => {
      piles[place] = field.value;
      show();
    }),
  );
  const row = make("div", "war-row", part);
  keyed(button(row, "Check", () => ask({ ask: "check", name: puzzle.name, piles: [...piles] }), "war-main"), "check");
  keyed(button(row, "Take back", () => {
    // What was written by hand has no order; the longer pile, or else the second, had the last card.
    const last = order.pop() ?? Number(words(1).length >= words(0).length);
    const card = words(last).at(-1);
    piles[last] = words(last).slice(0, -1).join(" ");
    show();
    say(`${card ? `${card.toUpperCase()} taken back` : "Nothing to take back"}. ${lie()}`);
  }), "take-back");
  keyed(button(row, "Deal the rest", () => {
    const used = laid();
    for (const [card] of puzzle.deck) {
      if (used.has(card)) continue;
      const place = Number(words(0).length > words(1).length);
      piles[place] = [...words(place), card].join(" ");
    }
    order.length = 0;
    show();
    say(`The rest is dealt. ${lie()}`);
  }), "rest");
  keyed(button(row, "Empty", () => {
    piles.splice(0, 2, "", "");
    order.length = 0;
    show();
    say("Both piles are empty.");
  }), "empty");
  show();
  if (puzzle.verdict) {
    const box = make("p", `lesson-feedback ${puzzle.solved ? "right" : "wrong"}`, part);
    labelled("b", "", box, puzzle.solved ? "✓ " : "✗ ");
    box.append(puzzle.verdict);
  }
  drawHints(part, puzzle, ask, puzzle.solved);
}

function drawSource(parent, source, open) {
  const fold = drawFold(parent, "source", "The code that plays a battle, in Python", open);
  labelled("code", "", make("pre", "lesson-source war-scroll", fold, { tabindex: 0 }), source);
}

// --- below: what to take along -----------------------------------------------------------------

function drawHand(parent, view, ask, state, say) {
  const hand = make("div", "lesson-hand", parent);
  const row = make("div", "war-row", hand);
  const place = make("div", "", hand);
  const showText = () => {
    place.replaceChildren();
    const label = labelled("label", "war-field", place, "Your answers, to hand in");
    const text = make("textarea", "lesson-report", label, { readonly: "", rows: 8 });
    text.value = view.report;
    return text;
  };
  const copy = keyed(button(row, "Copy my answers", async () => {
    state.copied = true;
    const text = showText();
    try {
      await navigator.clipboard.writeText(view.report);
      copy.textContent = "Copied";
    } catch {
      // Pages that are not served securely have no clipboard; this older way may still work there.
      text.select();
      copy.textContent = document.execCommand("copy") ? "Copied" : "Select the text and copy it";
      copy.focus();
    }
    say(`${copy.textContent}.`);
  }), "copy");
  if (state.copied) showText();
  const clear = keyed(button(row, "Clear my answers", () => {
    clear.hidden = true;
    sure.hidden = false;
    sure.querySelector("button").focus();
    say(sure.firstChild.textContent);
  }, "quiet"), "clear");
  const sure = make("span", "lesson-sure", row, { hidden: "" });
  labelled("span", "", sure, "Clear everything in this browser?");
  button(sure, "Clear all", () => {
    state.copied = false;
    for (const name of Object.keys(state.drafts)) delete state.drafts[name];
    keep(localStorage, ANSWERS, NO_ANSWERS);
    ask({ ask: "clear" });
  });
  const keepThem = () => {
    sure.hidden = true;
    clear.hidden = false;
    clear.focus();
    say("All answers are kept.");
  };
  button(sure, "Keep them", keepThem, "quiet");
  sure.addEventListener("keyup", (event) => event.key === "Escape" && keepThem());
  keyed(button(row, "Other level", () => ask({ ask: "levels" }), "quiet"), "levels");
  if (inVoila()) labelled("a", "lesson-link", row, "All of War", { href: `${document.body.dataset.baseUrl}..` });
}

function drawNext(parent, view, ask) {
  if (view.at + 1 >= view.steps.length) return;
  const row = make("div", "war-row lesson-next", parent);
  const next = view.steps[view.at + 1];
  const ready = view.steps[view.at].done;
  keyed(button(row, `Next: ${next.title}`, () => ask({ ask: "go", step: view.at + 1 }), ready ? "war-main" : "quiet"), "next");
}

// --- the lines of the rounds, and their battles ------------------------------------------------

function buildLine(parent, before, place, ask, show) {
  const node = make("div", "lesson-line", null);
  parent.insertBefore(node, before);
  const chart = make("div", "war-chart", node);
  const picture = make("div", "", chart);
  labelled("span", "war-above", chart, "You ahead", { "aria-hidden": "true" });
  labelled("span", "war-below", chart, "Computer ahead", { "aria-hidden": "true" });
  const look = make("label", "war-look", node);
  const words = make("span", "", look);
  const slider = keyed(make("input", "war-slider", look, { type: "range", min: 0 }), `slider-${place}`);
  slider.addEventListener("input", () => ask({ ask: "look", table: place, battle: Number(slider.value) }));
  const history = fold(node, "Table of the battles", show);
  keyed(history.firstChild, `battles-${place}`);
  const battles = buildBattles(history, (message) => ask({ ...message, table: place }));
  return { node, picture, words, slider, history, battles };
}

function drawLine({ picture, words, slider, history, battles }, line) {
  picture.innerHTML = line.svg; // Drawn by the kernel's own code.
  slider.max = line.played;
  slider.value = line.battle;
  slider.setAttribute("aria-valuetext", `Battle ${line.battle} of ${line.played}`);
  words.textContent = `${line.label && `${line.label}. `}Look back: battle ${line.battle} of ${line.played} played`;
  history.firstChild.textContent = `Table of the battles${line.label && `: ${line.label}`}`;
  if (history.open) battles.fill(JSON.stringify(line.round), line.whole);
}

// --- all of it ---------------------------------------------------------------------------------

function renderLesson({ model, el }) {
  const send = (message) => model.send(message);
  const state = { drafts: {}, copied: false, open: new Set() };
  let stopped = false;
  let wanted = null;

  const top = make("div", "lesson-top", el);
  const notice = make("div", "war-notice", el);
  // The one voice of the page: the tables of the lesson have none of their own.
  const status = make("p", "war-status", el, { role: "status", "aria-live": "polite" });
  const main = make("div", "lesson-main", el);
  // The tables are widgets of their own; this goes below them once they are there.
  const below = make("div", "lesson-below", el);
  const lines = [];
  const rest = make("div", "", below);

  let asked = "";
  const ask = (message) => {
    // A new step begins at its title, a new level too.
    wanted = ["go", "level", "levels", "clear"].includes(message.ask) ? "title" : null;
    asked = message.ask;
    if (wanted) noteHere("replaceState", location.search);
    send(message);
  };
  const noteHere = (how, query) => {
    const { level, at } = model.get("view");
    if (inVoila()) window.history[how]({ level, at }, "", `${query}${location.hash}`);
  };
  // The browser's own way back leads to the step before.
  const goBack = ({ state: before }) => {
    if (!before || !inVoila()) return;
    asked = "back";
    wanted = "title";
    send(before.level ? { ask: "level", level: before.level } : { ask: "levels" });
    if (before.level) send({ ask: "go", step: before.at });
  };
  const say = (text) => {
    // The same words again would not be read out.
    status.textContent = text === status.textContent ? `${text}\u00a0` : text;
  };

  const focused = () => {
    const node = document.activeElement;
    if (!el.closest(".war-lesson")?.contains(node)) return {};
    return { key: node.dataset.key, part: node.closest("[data-part]")?.dataset.part };
  };
  // Where the control that had the focus is gone, the next thing to do has it.
  const find = (root, { key, part }) =>
    root?.querySelector(`[data-key="${CSS.escape(key)}"]`) ??
    (part && root?.querySelector(`[data-part="${CSS.escape(part)}"]`)?.querySelector(NEXT)) ??
    root?.querySelector('[data-key="task"]') ??
    root?.querySelector('[data-key="title"]');

  // A kernel that was warmed before the page was asked for learns the level from the page's hello;
  // until then there would be a choice to see that has been made.
  let early = inVoila() && new URLSearchParams(location.search).has("level");
  const show = () => {
    const view = model.get("view");
    if (!view.levels || (early && !view.level)) return;
    const place = wanted ? { key: wanted } : focused();
    const selection = document.activeElement?.selectionStart;
    top.replaceChildren();
    main.replaceChildren();
    rest.replaceChildren();
    if (!view.level) drawLevels(main, view, ask);
    else drawChosen(view);
    const root = el.closest(".war-lesson");
    root?.setAttribute("data-level", view.level);
    if (root) enlarge(root, keptSettings());
    if (root && below.parentElement !== root) root.append(below);
    if (place.key === undefined) return;
    const next = find(root, place);
    if (next && next !== document.activeElement) {
      next.focus({ preventScroll: true });
      if (selection !== undefined && selection !== null && next.setSelectionRange) {
        next.setSelectionRange(selection, selection);
      }
    }
    if (wanted === "title") root?.scrollIntoView({ block: "start" });
    // Where little fits on a screen, what is to be played comes into view with its task.
    else if (next?.dataset.key === "task" && innerHeight < 800) next.parentElement.scrollIntoView();
    else next?.scrollIntoView({ block: "nearest" });
    wanted = null;
  };

  const drawChosen = (view) => {
    drawHead(top, view, ask);
    keyed(labelled("h2", "lesson-title", main, view.title, { tabindex: -1 }), "title");
    para(main, "lesson-text", view.text);
    if (view.predict) drawPredict(main, view, ask);
    if (view.reading) drawSource(main, model.get("source"), state.open);
    if (view.play) drawPlay(main, view, ask);
    if (view.compare) drawCompare(rest, view);
    if (view.table) drawRows(make("section", "lesson-part", rest, { "aria-label": "Counted" }), view.table.caption, view.table.head, view.table.rows);
    if (view.many) drawMany(rest, view, ask, state.open);
    if (view.puzzle) drawPuzzle(main, view, ask, state.drafts, say);
    view.questions.forEach((question, place) => {
      const tag = view.kind === "exit" ? `Question ${place + 1} of ${view.questions.length}` : "Explain";
      drawQuestion(view.kind === "exit" ? main : rest, question, ask, state.drafts, tag);
    });
    if (view.kind === "exit" && view.steps[view.at].done) {
      const part = make("section", "lesson-part take", rest, { "aria-label": "You can now" });
      labelled("span", "lesson-tag", part, "You can now");
      const list = make("ul", "lesson-goals", part);
      for (const goal of view.goals) labelled("li", "", list, goal);
    }
    if (view.explain) {
      const part = make("section", "lesson-part take", rest, { "aria-label": "To take along" });
      labelled("span", "lesson-tag", part, "To take along");
      labelled("p", "", part, view.explain);
    }
    if (view.beyond) para(rest, "lesson-beyond", view.beyond);
    drawNext(rest, view, ask);
    drawHand(rest, view, ask, state, say);
    // Six-year-olds need no code below their cards.
    if (!view.reading && view.level !== "compare") drawSource(rest, model.get("source"), state.open);
  };

  const showLines = () => {
    const chart = model.get("chart");
    // The slider under the finger stays the same one while its line grows.
    while (lines.length > chart.length) lines.pop().node.remove();
    chart.forEach((line, place) => {
      lines[place] ??= buildLine(below, rest, place, send, () => showLines());
      drawLine(lines[place], line);
    });
  };
  const answered = (message) => {
    if (message.answer === "history") lines[message.table]?.battles.rows(message);
  };

  const tell = () => {
    const trouble = model.get("notice");
    const field = asked === "deal" && main.querySelector(".lesson-deal input");
    notice.textContent = field ? "" : trouble;
    if (field) {
      // What is wrong with a code is told where it was typed.
      field.form.querySelector(".lesson-told").textContent = trouble;
      field.setAttribute("aria-invalid", String(Boolean(trouble)));
      if (trouble) field.focus();
      if (trouble) field.form.scrollIntoView({ block: "nearest" });
    }
    if (!early || !trouble) return;
    early = false;
    show();
  };
  const store = () => {
    const { deal } = model.get("view");
    keep(localStorage, ANSWERS, JSON.stringify({ ...keptAnswers(), [deal]: model.get("record") }));
  };
  const address = () => {
    const { level, deal, at } = model.get("view");
    if (!deal) return;
    const query = new URLSearchParams({ ...(level && { level }), deal });
    const before = window.history.state ?? {};
    const moved = before.level !== level || before.at !== at;
    const how = moved && ["go", "level", "levels"].includes(asked) ? "pushState" : "replaceState";
    noteHere(how, `?${query}`);
  };
  const gone = () => {
    if (stopped) return;
    stopped = true;
    notice.replaceChildren();
    labelled("p", "", notice, "The lesson has lost its connection. Your answers are kept in this browser.");
    say(notice.textContent);
    button(notice, "Go on", () => goOn(el), "war-main").focus();
  };
  const back = () => {
    if (stopped) tell();
    stopped = false;
  };
  const changed = () => {
    early = false;
    show();
    address();
  };

  show();
  showLines();
  tell();
  const later = requestAnimationFrame(show);
  const patience = setTimeout(() => {
    early = false;
    show();
  }, PATIENCE);
  const release = [guardKeys(el), watchKernel(model, el, gone, back)];
  const listeners = {
    "change:view": changed,
    "change:chart": showLines,
    "change:record": store,
    "change:said": () => say(model.get("said")),
    "change:notice": tell,
    "msg:custom": answered,
  };
  for (const [name, listener] of Object.entries(listeners)) model.on(name, listener);
  // Another tab of the same pupil keeps its answers in the same place.
  const elsewhere = ({ key, newValue }) => {
    if (key === ANSWERS) send({ ask: "kept", kept: keptAnswers(), cleared: newValue === NO_ANSWERS });
    if (key === SETTINGS) window.dispatchEvent(new CustomEvent("war-settings", { detail: keptSettings() }));
  };
  window.addEventListener("storage", elsewhere);
  window.addEventListener("war-settings", show);
  window.addEventListener("popstate", goBack);
  // What is kept is of all tabs together; which step this one was at, only its own past knows.
  const [query, at] = inVoila() ? [location.search, window.history.state?.at ?? null] : ["", null];
  send({ ask: "hello", query, kept: keptAnswers(), at });
  return () => {
    cancelAnimationFrame(later);
    clearTimeout(patience);
    for (const each of release) each();
    window.removeEventListener("storage", elsewhere);
    window.removeEventListener("war-settings", show);
    window.removeEventListener("popstate", goBack);
    below.remove();
    for (const [name, listener] of Object.entries(listeners)) model.off(name, listener);
  };
}

export default { render: renderLesson };
