// Line drawings on a grid of 24.
const PATHS = {
  hash: "M9.5 4L7.5 20M16.5 4l-2 16M4.5 9h16M3.5 15h16",
  lock: "M7 11V8a5 5 0 0110 0v3M6 11h12v9H6z",
  close: "M6 6l12 12M18 6L6 18",
  menu: "M4 7h16M4 12h16M4 17h16",
  search: "M11 18a7 7 0 100-14 7 7 0 000 14zM16 16l4.5 4.5",
  spark: "M12 4l1.8 5.2L19 11l-5.2 1.8L12 18l-1.8-5.2L5 11l5.2-1.8zM19 17v3.5M17.2 18.8h3.6",
  clip: "M8 12.5l6.5-6.5a3 3 0 014.2 4.2L10.5 18.4a5 5 0 01-7-7L11 4",
  send: "M5 12h13M12.5 5.5L19 12l-6.5 6.5",
  reply: "M20 15a3 3 0 01-3 3H9l-4.5 3.5V7a3 3 0 013-3H17a3 3 0 013 3z",
  edit: "M4.5 19.5l1-4.5L16 4.5l3.5 3.5L9 18.5zM14 6.5l3.5 3.5",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13M10.5 11v5.5M13.5 11v5.5",
  down: "M7 10l5 5 5-5",
  check: "M5.5 12.5l4.5 4.5 8.5-10",
  warning: "M12 4l9 16H3zM12 10v4.5M12 17.4v.1",
  thumb_up:
    "M8 20H5v-9h3m0 9V11l4-7c1.7 0 2.5 1.2 2.2 2.8L13.6 10H18a2 2 0 012 2.4l-1.2 6A2 2 0 0116.8 20z",
  thumb_down:
    "M16 4h3v9h-3m0-9v9l-4 7c-1.7 0-2.5-1.2-2.2-2.8l.6-3.2H6a2 2 0 01-2-2.4l1.2-6A2 2 0 017.2 4z",
};

const SVG = "http://www.w3.org/2000/svg";

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
