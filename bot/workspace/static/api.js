// The server's JSON, as tests/browser and the server's page routes know it; addresses are relative,
// as each workspace has its page below its own. Every call
// answers {ok, ...}; where nothing came back at all, `say` has words for it, so that callers
// have one way to fail.
import { WORDS } from "./words.js";

const LOST = { ok: false, error: "not_reached", say: WORDS.notLoaded };

export async function read(path, query = {}) {
  return answered(fetch(`page/${path}?${new URLSearchParams(query)}`, { cache: "no-store" }));
}

export async function send(path, body) {
  return answered(
    fetch(`page/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
}

async function answered(request) {
  try {
    const answer = await (await request).json();
    return answer.ok ? answer : { ...LOST, ...answer };
  } catch {
    return LOST;
  }
}

const RETRY_MS = 1000;

// Listens to what happens as one person sees it, for ever: a lost connection is opened anew,
// once `beforeRetry` is done. A browser's own retry gives up on some failures, hence this one.
export function listen(person, { onOpen, onLost, beforeRetry, onEvent }) {
  let source;
  let timer;
  let ended = false;
  const open = () => {
    source = new EventSource(`page/events?as=${encodeURIComponent(person)}`);
    source.onopen = onOpen;
    source.onmessage = (event) => onEvent(JSON.parse(event.data));
    source.onerror = () => {
      source.close();
      onLost();
      timer = setTimeout(again, RETRY_MS);
    };
  };
  const again = async () => {
    await beforeRetry();
    if (!ended) open();
  };
  open();
  return () => {
    ended = true;
    clearTimeout(timer);
    source.close();
  };
}
