// Keeps the page for when there is no network. The page itself is asked for anew where there is one; files
// whose names change with their contents are not.

const FILES = ["FILES"];
// Another playground may stand under another path of the same site.
const OWN = `step-retry ${self.registration.scope} `;
const CACHE = `${OWN}${FILES.join(" ")}`;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOthers());
});

async function forgetOthers() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(OWN) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(request.mode === "navigate" ? fresh(request) : kept(request));
});

async function fresh(request) {
  try {
    return await fetch(request);
  } catch {
    return (await own(request)) ?? (await own("./")) ?? Response.error();
  }
}

async function kept(request) {
  return (await own(request)) ?? fetch(request);
}

async function own(request) {
  return (await caches.open(CACHE)).match(request, { ignoreSearch: true });
}
