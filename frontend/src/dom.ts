// The little that the pages need to build and update their nodes.

type Child = Node | string | null | undefined | false;
type Listeners = { [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => void };
type Attributes = Listeners & { [name: string]: unknown };

/** An HTML element. Attributes that are false, null or undefined are left out; `on…` are listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  dress(node, attributes);
  node.append(...present(children));
  return node;
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: { [name: string]: string | number | null } = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  dress(node, attributes);
  node.append(...present(children));
  return node;
}

function dress(node: Element, attributes: { [name: string]: unknown }): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === 'function') node.addEventListener(name.slice(2), value as EventListener);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
}

function present(children: Child[]): (Node | string)[] {
  return children.filter((child) => child !== null && child !== undefined && child !== false);
}

// Updates touch the document only where something changed, so that rendering
// often costs nothing and a screen reader is not told the same thing twice.

export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

export function setAttribute(node: Element, name: string, value: string | null): void {
  if (value === null) node.removeAttribute(name);
  else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

export function show(node: HTMLElement, visible: boolean): void {
  if (node.hidden === visible) node.hidden = !visible;
}
