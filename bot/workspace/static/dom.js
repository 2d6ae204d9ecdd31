// Builds elements. Text only ever becomes text nodes: nothing here parses HTML, so what a
// message says can never become markup.

export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) setProperty(node, name, value);
  append(node, children);
  return node;
}

function setProperty(node, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
  else if (name === "class") node.className = value;
  else if (name === "dataset") Object.assign(node.dataset, value);
  else if (name === "value") node.value = value;
  else node.setAttribute(name, value === true ? "" : value);
}

export function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
}

export function fill(node, ...children) {
  node.replaceChildren();
  append(node, children);
}

// A link only for addresses that a browser may open from here; `javascript:` and its like
// stay text.
export function link(address, ...children) {
  const url = safeUrl(address);
  if (url === null) return h("span", {}, ...children);
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, ...children);
}

function safeUrl(address) {
  try {
    const url = new URL(address);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

// Shows `items` in `container`, keeping the node of every item that has not changed: what
// someone has focused, selected or unfolded stays so while new messages come in. Where the
// focused node itself is replaced, the focus goes to its successor.
export function keyed(container, items, { key, signature, build }) {
  const old = new Map([...container.children].map((node) => [node.dataset.key, node]));
  const focused = document.activeElement;
  const lost = container.contains(focused) ? focused.dataset.focus : undefined;
  const nodes = items.map((item) => {
    const sign = signature(item);
    const kept = old.get(key(item));
    if (kept?.dataset.signature === sign) return kept;
    const node = build(item);
    node.dataset.key = key(item);
    node.dataset.signature = sign;
    return node;
  });
  arrange(container, nodes);
  if (lost && !focused.isConnected) focusOn(container, lost);
}

function arrange(container, nodes) {
  const wanted = new Set(nodes);
  for (const node of [...container.children]) if (!wanted.has(node)) node.remove();
  nodes.forEach((node, at) => {
    if (container.children[at] !== node)
      container.insertBefore(node, container.children[at] ?? null);
  });
}

export function focusOn(container, name) {
  container.querySelector(`[data-focus="${CSS.escape(name)}"]`)?.focus();
}

// Arrow keys walk through the elements that `selector` finds; one of them at a time is in
// the order of the Tab key.
export function walkWithArrows(container, selector) {
  container.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    const stops = [...container.querySelectorAll(selector)];
    const at = stops.indexOf(document.activeElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    const to = Math.min(Math.max(at + step, 0), stops.length - 1);
    stops[at].tabIndex = -1;
    stops[to].tabIndex = 0;
    stops[to].focus();
  });
}
