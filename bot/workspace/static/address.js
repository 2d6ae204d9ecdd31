// #person/channel/thread in the address bar, so that reloading, links and Back work.

export function parse(hash) {
  const [as = "", channel = "", thread = ""] = hash.slice(1).split("/").map(decoded);
  return { as, channel, thread };
}

// A hand-written address may hold a stray per cent sign.
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const format = ({ as, channel, thread }) =>
  `#${[as, channel, thread].filter(Boolean).map(encodeURIComponent).join("/")}`;

export function keepAddress(store, session) {
  store.watch(
    (state) => [state.as, state.channel, state.thread],
    (state) => {
      const address = format(state);
      if (!state.channel || address === location.hash) return;
      if (parse(location.hash).channel) history.pushState(null, "", address);
      else history.replaceState(null, "", address);
    },
  );
  addEventListener("popstate", () => session.go(parse(location.hash)));
}
