// Draws the state that the kernel sends, and passes on what a person asks for; no rule of the game
// is decided here.

// --- the table ---------------------------------------------------------------------------------

function buildTable(board, main, silent) {
  const top = make("div", "war-top", board);
  // One on a page has the role; small tables speak just the same, if the page does not speak for them.
  const live = (how, role) => (silent ? {} : { "aria-live": how, ...(main && { role }) });
  return {
    rules: make("span", "war-chip", top),
    code: make("span", "war-chip", top),
    battle: make("span", "war-battle", top),
    notice: make("div", "war-notice", board, live("assertive", "alert")),
    table: make("div", "war-table", board),
    seats: [],
    stake: make("p", "war-stake"),
    // Below the buttons, which so stay where they are however much there is to say.
    say: make("p", "war-say", null),
    end: make("div", "war-over", null, { hidden: "" }),
    words: make("ul", "war-words", null, { "aria-label": "Rules, the one in force marked" }),
    // It has to be there, and empty, before the first news for every screen reader to hear it.
    status: silent ? null : make("p", "war-status", board, live("polite", "status")),
  };
}

function buildSeats(parts, count) {
  parts.table.replaceChildren();
  // The first seat is the reader's, so it comes last, nearest to the hand that plays.
  parts.seats = Array.from({ length: count }, () => {
    const row = make("section", "war-seat");
    const stack = make("div", "war-stack", row, { "aria-hidden": "true" });
    const label = make("div", "war-label", row);
    const title = make("div", "war-title", label);
    return {
      row,
      stack,
      name: make("h3", "war-name", title),
      gain: make("span", "war-gain", title),
      count: make("p", "war-count", label),
      aside: make("p", "war-aside", label),
      cards: make("ul", "war-cards", row),
      order: make("ol", "war-order", row, { hidden: "" }),
    };
  });
  const [own, ...others] = parts.seats;
  parts.table.append(...others.map((seat) => seat.row), parts.stake, own.row);
  parts.table.dataset.seats = count;
}

function drawStack(node, count, back) {
  node.style.setProperty("--count", count);
  if (!count) node.replaceChildren();
  else if (!node.firstChild) node.innerHTML = back;
}

// What tells one picture from another: the card, how it is drawn, and the mark on it.
const sameness = (card) => [card.name, card.svg ?? "", card.owner ?? ""].join("|");

function addCard(list, card, back) {
  const item = make("li", card.svg ? "up" : "down", list);
  const owner = card.owner === undefined || card.owner === null ? "" : card.owner + 1;
  const name = owner ? `${card.name}, dealt to player ${owner}` : card.name;
  const picture = make("span", "war-card", item, { role: "img", "aria-label": name });
  // Both pictures are drawn by the kernel's own code and hold no text of anybody else.
  picture.innerHTML = card.svg ?? back;
  if (owner) labelled("span", "war-owner", picture, owner, { "aria-hidden": "true" });
  item.card = sameness(card);
}

function drawCards(list, cards, back) {
  const wanted = cards.map(sameness);
  const kept = [...list.children].map((item) => item.card);
  // Cards that lie there already stay as they are, so that only new ones move.
  const same = kept.every((card, place) => wanted[place] === card) ? kept.length : 0;
  if (!same) list.replaceChildren();
  for (const card of cards.slice(same)) addCard(list, card, back);
  list.classList.toggle("many", cards.length > 6);
}

function drawOrder(list, order) {
  list.hidden = !order;
  list.replaceChildren();
  for (const card of order ?? []) {
    const item = make("li", "", list);
    make("span", "", item, { role: "img", "aria-label": card.name }).innerHTML = card.svg;
  }
}

function drawTable(parts, state, back) {
  if (parts.seats.length !== state.seats.length) buildSeats(parts, state.seats.length);
  parts.rules.textContent = state.rules;
  parts.code.textContent = state.code === null ? "Dealt by hand" : `Deal ${state.code}`;
  const cap = state.cap === null ? "" : ` of ${state.cap}`;
  parts.battle.textContent = `Battle ${state.battle}${cap}`;
  state.seats.forEach((seat, place) => {
    const shown = parts.seats[place];
    shown.row.setAttribute("aria-label", seat.name);
    shown.row.classList.toggle("takes", seat.takes > 0);
    shown.row.classList.toggle("beats", seat.beats);
    shown.row.classList.toggle("wins", seat.wins);
    shown.name.textContent = seat.name;
    shown.count.replaceChildren();
    labelled("b", "", shown.count, seat.count);
    shown.count.append(" ");
    labelled("small", "", shown.count, seat.count === 1 ? "card" : "cards");
    shown.gain.textContent = seat.takes ? `+${seat.takes}` : "";
    shown.aside.textContent = seat.won === null ? "" : `${seat.stack} in the stack, ${seat.won} set aside`;
    shown.cards.setAttribute("aria-label", `Laid by ${seat.name}`);
    shown.order.setAttribute("aria-label", `The stack of ${seat.name}, top card first`);
    drawStack(shown.stack, seat.stack, back);
    drawCards(shown.cards, seat.cards, back);
    drawOrder(shown.order, seat.order);
  });
  parts.stake.textContent = state.stake;
  parts.say.replaceChildren();
  if (state.headline) labelled("strong", "war-headline", parts.say, state.headline);
  // What happened first, then how it went on.
  const [first, ...rest] = state.shown.split(/(?<=[.!]) /);
  labelled("b", "", parts.say, first);
  if (rest.length) parts.say.append(` ${rest.join(" ")}`);
}

function drawWords(list, { words, lit }) {
  const wanted = JSON.stringify([words, lit]);
  if (list.dataset.drawn === wanted) return;
  list.dataset.drawn = wanted;
  list.replaceChildren();
  for (const [about, text] of Object.entries(words)) {
    const now = about === lit;
    labelled(now ? "mark" : "span", "", make("li", now ? "lit" : "", list), text);
  }
}

// --- the chart that is the timeline ------------------------------------------------------------

const SVG = "http://www.w3.org/2000/svg";
const draw = (tag, parent, attributes) => {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  parent.append(node);
  return node;
};

function buildTimeline(parent, ask) {
  const time = make("div", "war-time", parent);
  const picture = make("div", "war-chart", time);
  const chart = document.createElementNS(SVG, "svg");
  chart.setAttribute("role", "img");
  chart.setAttribute("preserveAspectRatio", "none");
  const above = make("span", "war-above", picture, { "aria-hidden": "true" });
  const below = make("span", "war-below", picture, { "aria-hidden": "true" });
  picture.append(chart);
  const label = make("label", "war-look", time);
  const words = make("span", "", label);
  const slider = make("input", "war-slider", label, { type: "range", min: 0 });
  slider.addEventListener("input", () => ask({ ask: "go", battle: Number(slider.value) }));
  return { time, chart, above, below, words, slider, key: make("p", "war-key", time) };
}

function drawTimeline(parts, state, counts) {
  const { time, chart, above, below, words: look, slider, key } = parts;
  time.classList.toggle("empty", !state.played);
  const longest = Math.max(state.played, 1);
  slider.max = state.played;
  slider.value = state.battle;
  slider.setAttribute("aria-valuetext", `Battle ${state.battle} of ${state.played} played`);
  look.textContent = `Look back: battle ${state.battle} of ${state.played} played`;
  const all = counts[0].reduce((sum, count) => sum + count, 0);
  const width = 600;
  const height = 90;
  chart.setAttribute("viewBox", `0 -3 ${width} ${height + 6}`);
  chart.replaceChildren();
  const y = (count) => height - (count / all) * height;
  draw("path", chart, { class: "level", d: `M0 ${y(all / counts[0].length)}H${width}` });
  const two = state.seats.length === 2;
  above.textContent = two ? `${state.seats[0].name} ahead` : "More cards";
  below.textContent = two ? `${state.seats[1].name} ahead` : "";
  const step = width / longest;
  const seats = counts[0].length === 2 ? [0] : counts[0].map((_, seat) => seat);
  for (const seat of seats) {
    const points = counts.map((each, battle) => `${(battle * step).toFixed(1)} ${y(each[seat]).toFixed(1)}`);
    draw("path", chart, { class: `line seat-${seat}`, d: `M${points.join("L")}` });
  }
  const now = counts.at(-1);
  draw("path", chart, { class: "now", d: `M${((counts.length - 1) * step).toFixed(1)} 0V${height}` });
  const words = state.seats.map((seat, place) => {
    const own = counts.map((each) => each[place]);
    return `${seat.name}: ${own[0]} at the deal, between ${Math.min(...own)} and ${Math.max(...own)}, now ${now[place]}`;
  });
  chart.setAttribute("aria-label", `Cards after each battle. ${words.join(". ")}.`);
  key.replaceChildren();
  state.seats.forEach((seat, place) => {
    const entry = make("span", `seat-${place}`, key);
    if (seats.includes(place)) make("i", "", entry, { "aria-hidden": "true" });
    entry.append(`${seat.name}: ${now[place]}`);
  });
}

// --- the end of a round ------------------------------------------------------------------------

function drawEnd(parts, state, variants, main, ask) {
  const { end } = parts;
  if (end.dataset.over === state.over) return;
  end.dataset.over = state.over;
  // The focus must not vanish with the buttons that had it.
  const hadFocus = end.contains(document.activeElement);
  end.replaceChildren();
  end.hidden = !state.over;
  if (hadFocus) end.closest(".war-game")?.querySelector(".war-turn")?.focus();
  if (!state.over) return;
  labelled("p", "war-verdict", end, state.over);
  const list = make("ul", "", end);
  for (const line of state.highlights) labelled("li", "", list, line);
  const row = make("div", "war-row", end);
  button(row, "Same deal again", () => ask({ ask: "again" }));
  if (main && state.code !== null) {
    const other = state.base === "house" ? "classic" : "house";
    const pair = make("div", "war-pair", row);
    const select = rulesSelect(pair, variants, other, "Other rules");
    button(pair, "Same deal, other rules", () =>
      ask({ ask: "deal", code: state.code, rules: select.value }),
    );
  }
}

function rulesSelect(parent, variants, chosen, name) {
  const label = labelled("label", "war-field", parent, name);
  const select = make("select", "", label);
  for (const variant of variants) {
    const text = variant.replaceAll("-", " ");
    labelled("option", "", select, text[0].toUpperCase() + text.slice(1), { value: variant });
  }
  select.value = chosen;
  return select;
}

// The table to play at has buttons that are widgets of their own; those of small tables are here.
function buildButtons(model, ask) {
  const row = make("div", "war-buttons", null);
  const nodes = Object.entries(model.get("buttons")).map(([name, label]) => [
    name,
    button(row, label, () => ask({ ask: "press", button: name }), name),
  ]);
  return {
    row,
    show() {
      for (const [name, node] of nodes) node.textContent = model.get("buttons")[name];
    },
  };
}

// --- what lies folded below the table ----------------------------------------------------------

function buildDeal(parent, variants, ask, show) {
  const details = fold(parent, "Deal and rules", show);
  const form = make("form", "war-row", details);
  const label = labelled("label", "war-field", form, "Deal code");
  const code = make("input", "", label, { inputmode: "numeric", autocomplete: "off", size: 10 });
  const rules = rulesSelect(form, variants, variants[0], "Rules");
  const own = labelled("option", "", rules, "Own rules", { value: "" });
  labelled("button", "", form, "Deal", { type: "submit" });
  labelled("p", "war-hint", details, "The same code deals the same cards, for everybody. Without a code the deal is a new one.");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask({ ask: "deal", code: code.value.trim(), rules: rules.value });
  });
  const shared = make("div", "", details);
  const link = button(shared, "Link to this moment", () =>
    ask({ ask: "link", page: location.origin + location.pathname }),
  );
  const place = make("div", "war-link", shared, { hidden: "" });
  return {
    details,
    show(state) {
      if (document.activeElement !== code) code.value = state.code ?? "";
      // Rules that have no name of their own stay as they are.
      own.hidden = own.disabled = state.rules !== "Own rules";
      if (document.activeElement !== rules) rules.value = own.hidden ? state.base : "";
      // A link out of date would lead elsewhere than it says.
      if (place.dataset.query !== state.query) place.hidden = true;
      link.hidden = !inVoila();
    },
    link({ address, picture }, state) {
      place.hidden = false;
      place.dataset.query = state.query;
      place.innerHTML = picture;
      place.firstElementChild.setAttribute("role", "img");
      place.firstElementChild.setAttribute("aria-label", "QR code of the link");
      const text = make("input", "", place, { readonly: "", "aria-label": "Link", value: address });
      const copy = button(place, "Copy", async () => {
        text.select();
        try {
          await navigator.clipboard.writeText(address);
        } catch {
          // Pages that are not served securely have no clipboard; this older way still works there.
          document.execCommand("copy");
        }
        copy.textContent = "Copied";
      });
    },
  };
}

const SWITCHES = {
  four_colours: "Four colours, one for each suit",
  pips: "Pips to count on the cards",
  large: "Large cards, for a projector",
  motion: "Cards move",
  open_stacks: "Open stacks: see every card in order",
  owners: "Mark whose card it was at the deal",
};

function buildSettings(parent, speeds, maxlength, change, show) {
  const details = fold(parent, "Settings", show);
  const fields = {};
  for (const [name, text] of Object.entries(SWITCHES)) {
    const label = make("label", "war-switch", details);
    fields[name] = make("input", "", label, { type: "checkbox" });
    label.append(text);
  }
  const row = make("div", "war-row", details);
  const label = labelled("label", "war-field", row, "Speed of playing to the end");
  fields.speed = make("select", "", label);
  for (const speed of speeds) labelled("option", "", fields.speed, speed, { value: speed });
  const names = [1, 2, 3, 4].map((number) => {
    const field = labelled("label", "war-field", row, `Name of player ${number}`);
    return make("input", "", field, { maxlength, size: 12, autocomplete: "off" });
  });
  details.addEventListener("change", () => {
    const settings = { speed: fields.speed.value, names: names.map((name) => name.value) };
    for (const name of Object.keys(SWITCHES)) settings[name] = fields[name].checked;
    change(settings);
  });
  return {
    details,
    show({ seats }, settings) {
      for (const name of Object.keys(SWITCHES)) fields[name].checked = settings[name] ?? name === "motion";
      fields.speed.value = settings.speed ?? "medium";
      names.forEach((name, place) => {
        if (document.activeElement !== name) name.value = settings.names?.[place] ?? "";
        name.parentElement.hidden = place >= seats.length;
      });
    },
  };
}

function buildHistory(parent, ask, show) {
  const details = fold(parent, "History", show);
  const row = make("div", "war-row", details);
  button(row, "Save the game", () => ask({ ask: "save", form: "json" }));
  button(row, "Save as a table (CSV)", () => ask({ ask: "save", form: "csv" }));
  const label = labelled("label", "war-field", row, "Open a saved game");
  const file = make("input", "", label, { type: "file", accept: ".json,.txt" });
  file.addEventListener("change", async () => {
    if (file.files[0]) ask({ ask: "open", text: await file.files[0].text() });
    file.value = "";
  });
  const battles = buildBattles(details, ask);
  return {
    details,
    show(state) {
      const names = state.seats.map((seat) => seat.name);
      battles.fill(`${state.round} ${names}`, state.battle - (state.open ? 1 : 0));
    },
    rows: battles.rows,
  };
}

function download({ name, type, text }) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  make("a", "", null, { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// --- all of it ---------------------------------------------------------------------------------

// Under this name the browser keeps where a round was.
const MOMENT = `war-moment ${location.pathname}`;

function render({ model, el, drawing }) {
  const ask = (message) => model.send(message);
  const main = model.get("main");
  const variants = drawing.get("variants");
  let settings = keptSettings();
  let stopped = false;

  const board = make("section", "war-board", el, { "aria-label": "War, the table" });
  const parts = buildTable(board, main, model.get("silent"));
  // The buttons are widgets of their own; this goes below them once they are there.
  const more = make("div", "war-more", board);
  more.append(parts.say, parts.end, parts.words);
  const small = buildButtons(model, ask);
  const change = (changed) => {
    settings = changed;
    keep(localStorage, SETTINGS, JSON.stringify(settings));
    // Every table on the page follows, this one too.
    window.dispatchEvent(new CustomEvent("war-settings", { detail: settings }));
  };
  const time = main && buildTimeline(more, ask);
  const deal = main && buildDeal(more, variants, ask, () => showRest());
  const history = main && buildHistory(more, ask, () => showRest());
  const panel = main && buildSettings(more, drawing.get("speeds"), drawing.get("longest_name"), change, () => showRest());
  const follow = ({ detail }) => {
    settings = detail;
    show();
    showSoon();
    ask({ ask: "settings", settings });
  };
  window.addEventListener("war-settings", follow);

  // A small table is all here; the table to play at stands beside its buttons, in a box that this one
  // joins a moment later.
  const around = () => (main ? el.closest(".war-game") : el);
  const tellButtons = (state) => {
    // A disabled button would drop the focus, so these only say that they rest.
    for (const each of around()?.querySelectorAll(".war-turn, .war-ten, .war-step, .war-end") ?? []) {
      each.setAttribute("aria-disabled", String(Boolean(state.over)));
    }
  };
  const place = () => {
    const game = around();
    if (!game) return;
    if (more.parentElement !== game) game.append(...(main ? [] : [small.row]), more);
    game.classList.toggle("small", !main);
    game.classList.toggle("over", Boolean(model.get("state").over));
    game.classList.toggle("still", settings.motion === false);
    enlarge(game, settings);
  };
  // What somebody waits for who has pressed a button.
  function show() {
    const state = model.get("state");
    if (!state.seats) return;
    drawTable(parts, state, drawing.get("back"));
    drawEnd(parts, state, variants, main, ask);
    place();
    tellButtons(state);
  }
  // What may be drawn a moment later, and only where it can be seen.
  function showRest() {
    const state = model.get("state");
    if (!state.seats) return;
    drawWords(parts.words, state);
    if (!main) return;
    drawTimeline(time, state, JSON.parse(model.get("counts")));
    for (const part of [deal, history, panel]) {
      if (part.details.open) part.show(state, settings);
    }
  }
  let soon = false;
  const showSoon = () => {
    if (soon) return;
    soon = true;
    requestAnimationFrame(() => setTimeout(() => {
      soon = false;
      if (!el.isConnected) return;
      showRest();
      tellAddress();
    }));
  };
  const tell = () => {
    parts.notice.textContent = model.get("notice");
  };
  // A page that is loaded again and a notebook that was cut off go on where they were; any other page
  // says in its address where it begins.
  const again = !inVoila() || performance.getEntriesByType("navigation")[0]?.type === "reload";
  const before = (again && kept(sessionStorage, MOMENT)) || (inVoila() ? location.search : "");
  // Until the kernel has heard that, another round lies on the table, which is not told to anybody.
  let begun = !before;
  const tells = () => main && inVoila() && begun;
  const update = () => {
    const state = model.get("state");
    begun = true;
    show();
    if (state.spoken && parts.status) parts.status.textContent = state.spoken;
    showSoon();
  };
  // Changing the address is slow, and browsers allow it only so often: it waits for the picture, and
  // while somebody plays on quickly for a while longer.
  let telling = null;
  let told = 0;
  const tellNow = () => {
    if (!tells()) return;
    clearTimeout(telling);
    told = performance.now();
    keep(sessionStorage, MOMENT, `?${model.get("state").query}`);
    window.history.replaceState(null, "", `?${model.get("state").query}${location.hash}`);
  };
  const tellAddress = () => {
    if (!tells()) return;
    // Whoever loads the page again before the address is told still finds the moment here.
    keep(sessionStorage, MOMENT, `?${model.get("state").query}`);
    clearTimeout(telling);
    telling = setTimeout(tellNow, Math.max(30, told + 400 - performance.now()));
  };
  window.addEventListener("pagehide", tellNow);
  const answer = (message) => {
    if (message.answer === "file") download(message);
    if (message.answer === "history") history.rows(message);
    if (message.answer === "link") deal.link(message, model.get("state"));
  };
  const gone = () => {
    // One table on a page is enough to say it.
    if (stopped || (!main && document.querySelector(".war-game:not(.small)"))) return;
    stopped = true;
    tellNow();
    if (main && !inVoila()) keep(sessionStorage, MOMENT, model.get("state").query);
    parts.notice.replaceChildren();
    labelled("p", "", parts.notice, "The game has lost its connection: the program that plays it has stopped. Your place is kept.");
    const again = button(parts.notice, "Go on", () => goOn(el), "war-main");
    if (document.activeElement?.closest(".war-game") === around()) again.focus();
  };

  // It was only slow: what was said of it is not true any more.
  const back = () => {
    if (stopped) tell();
    stopped = false;
  };

  show();
  showRest();
  tell();
  // Widgets join the page one after the other.
  const later = requestAnimationFrame(() => {
    place();
    tellButtons(model.get("state"));
  });
  const release = [guardKeys(el), watchKernel(model, el, gone, back)];
  model.on("change:state", update);
  model.on("change:notice", tell);
  model.on("change:buttons", small.show);
  model.on("msg:custom", answer);
  if (main) keep(sessionStorage, MOMENT, inVoila() ? before : "");
  // A small table has nothing to say where its browser has kept no settings, and a page has many.
  if (main || Object.keys(settings).length) ask({ ask: "hello", query: main ? before : "", settings });
  tellAddress();
  return () => {
    cancelAnimationFrame(later);
    for (const each of release) each();
    small.row.remove();
    more.remove();
    window.removeEventListener("war-settings", follow);
    window.removeEventListener("pagehide", tellNow);
    model.off("change:state", update);
    model.off("change:notice", tell);
    model.off("change:buttons", small.show);
    model.off("msg:custom", answer);
  };
}

export default { render };
