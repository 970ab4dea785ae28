// Search where pages are read from a folder: there a browser fetches nothing and starts no worker. So the
// index is a script, and the worker runs in a frame. SPDX-License-Identifier: MIT
if (location.protocol === "file:") {
  const load = (place, address) =>
    new Promise((loaded, failed) => {
      const script = Object.assign(place.createElement("script"), { src: address, onload: loaded, onerror: failed });
      place.head.append(script);
    });

  const indexed = new Promise((found) => (window.takeIndex = found));
  load(document, document.currentScript.dataset.index);
  window.__search = { index: indexed };

  window.Worker = class extends EventTarget {
    #frame = document.createElement("iframe");
    #ready;

    constructor(address) {
      super();
      this.#frame.hidden = true;
      document.body.append(this.#frame);
      const inside = this.#frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = (...scripts) => Promise.all(scripts.map((script) => load(inside.document, script)));
      this.#ready = load(inside.document, new URL(address, location));
    }

    async postMessage(data) {
      await this.#ready;
      this.#frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }
  };
}
