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

// A page may have many small tables: they let the one to play at go first.
const idle = () => new Promise(globalThis.requestIdleCallback ?? setTimeout);

async function render({ model, el, host }) {
  if (!model.get("main")) await idle();
  const name = model.get("drawing");
  const drawing = await host.getModel(name);
  if (!scripts.has(name)) scripts.set(name, load(drawing));
  return (await scripts.get(name)).render({ model, el, drawing });
}

export default { render };
