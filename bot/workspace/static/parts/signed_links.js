// A link to a site that one signs in to from here is opened as the person at this page: the site
// asks the workspace who that is, as it would ask Slack.
export function signedLinks(store) {
  for (const kind of ["click", "auxclick"]) {
    document.addEventListener(kind, (event) => {
      const { as, signsInAt, team } = store.state;
      const address = event.target.closest?.("a[href]")?.href;
      if (!address || event.defaultPrevented || event.button > 1) return;
      const { origin, pathname, search } = new URL(address);
      if (!signsInAt.includes(origin)) return;
      event.preventDefault();
      const asked = new URLSearchParams({ next: pathname + search, login_hint: `${team.id}//${as}` });
      window.open(`${origin}/sign-in/slack?${asked}`, "_blank", "noopener,noreferrer");
    });
  }
}
