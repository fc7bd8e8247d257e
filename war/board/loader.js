// All boards of a page are drawn by one script, which the page gets once and not with every board.

const scripts = (globalThis.warScripts ??= new Map());

async function load(drawing) {
  const style = document.createElement("style");
  style.textContent = drawing.get("style");
  document.head.append(style);
  const address = URL.createObjectURL(new Blob([drawing.get("script")], { type: "text/javascript" }));
  try {
    return (await import(address)).default;
  } finally {
    URL.revokeObjectURL(address);
  }
}

// In milliseconds: longer nothing waits, however busy the page is.
const LONGEST_WAIT = 3000;

// What is played at comes first; the examples further down are drawn when the page has time for them.
const whenIdle = () =>
  new Promise((go) => {
    if (window.requestIdleCallback) requestIdleCallback(go, { timeout: LONGEST_WAIT });
    else setTimeout(go);
  });

async function render({ model, el, host }) {
  const name = model.get("drawing");
  const drawing = await host.getModel(name);
  if (!scripts.has(name)) scripts.set(name, load(drawing));
  const { render: draw } = await scripts.get(name);
  if (!model.get("main") && !model.get("silent")) await whenIdle();
  return draw({ model, el, drawing });
}

export default { render };
