// What every page of the game is made of; it stands before the script of a page.

const make = (tag, className, parent, attributes = {}) => {
  const node = document.createElement(tag);
  if (className) node.className = className;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  parent?.append(node);
  return node;
};

const labelled = (tag, className, parent, text, attributes) => {
  const node = make(tag, className, parent, attributes);
  node.textContent = text;
  return node;
};

const button = (parent, text, action, className = "") => {
  const node = labelled("button", className, parent, text, { type: "button" });
  node.addEventListener("click", action);
  return node;
};

const inVoila = () => document.body.dataset.voila !== undefined;

// The page around the game gives large cards more room, and is told of them by its own class: a style
// that looked for them would be worked out for the whole page at every change.
function enlarge(game, settings) {
  const large = settings.large === true;
  game.classList.toggle("large", large);
  if (inVoila()) document.body.classList.toggle("war-large", large);
}

// --- what lies folded away ----------------------------------------------------------------------

function fold(parent, title, show) {
  const details = make("details", "war-fold", parent);
  labelled("summary", "", details, title);
  details.addEventListener("toggle", show);
  return details;
}

// The battles as a table, filled only as far as somebody looks: what is there is not asked for again.
function buildBattles(parent, ask) {
  const scroll = make("div", "war-scroll", parent, { tabindex: 0, role: "group", "aria-label": "Table of the battles" });
  const table = make("table", "", scroll);
  labelled("caption", "", table, "Every battle so far, the last one first; cards that lay face down are in brackets.");
  const head = make("tr", "", make("thead", "", table));
  const body = make("tbody", "", table);
  let game = "";
  return {
    // `now` tells one game from another; its first `battles` battles are to be there.
    fill(now, battles) {
      if (now !== game) body.replaceChildren();
      game = now;
      while (body.childElementCount > battles) body.firstChild.remove();
      if (body.childElementCount < battles) ask({ ask: "history", after: body.childElementCount });
    },
    rows({ after, head: titles, rows }) {
      if (after !== body.childElementCount) return;
      head.replaceChildren();
      for (const title of titles) labelled("th", "", head, title, { scope: "col" });
      for (const [battle, ...cells] of rows) {
        const line = document.createElement("tr");
        labelled("th", "", line, battle, { scope: "row" });
        for (const cell of cells) labelled("td", "", line, cell);
        body.prepend(line);
      }
    },
  };
}

// --- keys, and a kernel that is gone -----------------------------------------------------------

// A notebook acts on keys, and a button that is held down repeats: neither is meant here. The
// window hears a key before anything else on the page does.
function guardKeys(el) {
  const guard = (event) => {
    const game = el.closest(".war-game") ?? el;
    if (!game.contains(event.target)) return;
    const enter = event.key === "Enter";
    if (event.repeat && (enter || event.key === " ") && event.target.closest("button")) {
      event.preventDefault();
    }
    if (enter || !(event.ctrlKey || event.metaKey || event.altKey)) event.stopImmediatePropagation();
  };
  window.addEventListener("keydown", guard, true);
  return () => window.removeEventListener("keydown", guard, true);
}

// In milliseconds: so long an answer may take, and so long after that a sign of life. Both together leave
// a slow machine some time to say within five seconds that the game is cut off.
const PATIENCE = 2000;
const LAST_PATIENCE = 1500;

// Asks for a sign of life only while an answer is overdue: a ping a second from each of thirty
// pupils would keep the server busy.
function watchKernel(model, el, gone, back) {
  let waiting = null;
  const alive = () => {
    clearTimeout(waiting);
    waiting = null;
    back();
  };
  const overdue = () => {
    waiting = setTimeout(gone, LAST_PATIENCE);
    try {
      model.send({ ask: "ping" });
    } catch {
      gone(); // The widget knows already that nobody is there.
    }
  };
  const clicked = (event) => {
    const game = el.closest(".war-game");
    if (game?.contains(event.target) && !waiting) waiting = setTimeout(overdue, PATIENCE);
  };
  window.addEventListener("click", clicked, true);
  model.on("change", alive);
  model.on("msg:custom", alive);
  const kernel = model.widget_manager?.kernel;
  const told = (_, status) => {
    if (["dead", "restarting", "autorestarting", "terminating"].includes(status)) gone();
  };
  const cut = (_, status) => {
    if (status === "disconnected") gone();
  };
  kernel?.statusChanged?.connect(told);
  kernel?.connectionStatusChanged?.connect(cut);
  return () => {
    clearTimeout(waiting);
    window.removeEventListener("click", clicked, true);
    kernel?.statusChanged?.disconnect(told);
    kernel?.connectionStatusChanged?.disconnect(cut);
  };
}

// Where there is no page to load again, the notebook's own key for running a cell is pressed.
function goOn(el) {
  if (inVoila()) {
    location.reload();
    return;
  }
  const cell = el.closest(".jp-Cell");
  const editor = cell?.querySelector(".cm-content") ?? cell;
  editor?.focus();
  const key = { key: "Enter", code: "Enter", keyCode: 13, ctrlKey: true, bubbles: true, cancelable: true };
  // The notebook takes a moment to notice which cell has the focus.
  setTimeout(() => editor?.dispatchEvent(new KeyboardEvent("keydown", key)), 200);
}

// --- what a browser keeps -----------------------------------------------------------------------

function kept(store, name) {
  try {
    return store.getItem(name);
  } catch {
    return null; // Some browsers forbid to keep anything; the game works without.
  }
}

function keep(store, name, value) {
  try {
    store.setItem(name, value);
  } catch {
    // As above.
  }
}

const SETTINGS = "war-settings";

function keptSettings() {
  try {
    return JSON.parse(kept(localStorage, SETTINGS)) ?? {};
  } catch {
    return {};
  }
}
