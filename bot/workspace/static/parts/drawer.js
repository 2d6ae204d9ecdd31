// On a phone the sidebar is a drawer over the room; on a desk it always stands.
export function drawerOf(sidebar, shade) {
  let from = null;
  const isOpen = () => sidebar.classList.contains("open");
  const show = (open) => {
    sidebar.classList.toggle("open", open);
    shade.hidden = !open;
    for (const other of [document.getElementById("room"), document.getElementById("thread")])
      other.inert = open;
  };
  const open = () => {
    from = document.activeElement;
    show(true);
    sidebar.querySelector("button")?.focus();
  };
  const close = () => {
    if (!isOpen()) return;
    show(false);
    from?.focus();
  };
  shade.addEventListener("click", close);
  return { open, close, isOpen };
}
