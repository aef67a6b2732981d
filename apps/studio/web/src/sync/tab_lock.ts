// Which tabs are open: a tab holds a lock of its own as long as it lives.
import { newChangeId } from "./entry";

export interface TabLock {
  readonly id: string;
  /** Runs `then` if that tab is closed, and no other tab does so at the same time. */
  ifClosed(tab: string, then: () => void): Promise<void>;
}

const name = (tab: string) => `caos.tab.${tab}`;

/** Web Locks where the browser has them (https and loopback), else a clock in localStorage. */
export function openTabLock(): TabLock {
  const { locks } = navigator;
  return locks ? new WebLock(locks) : new ClockLock(localStorage);
}

class WebLock implements TabLock {
  readonly id = newChangeId();

  constructor(private readonly locks: LockManager) {
    // The browser gives the lock back when the tab goes, however it goes.
    void locks.request(name(this.id), () => new Promise<void>(() => {}));
  }

  async ifClosed(tab: string, then: () => void): Promise<void> {
    await this.locks.request(name(tab), { ifAvailable: true }, (lock) => {
      if (lock) then();
    });
  }
}

const tick = 5000;
// Browsers slow the clocks of tabs in the background down to a minute.
const dead = 150_000;

/** A tab that has not said for long that it is there is taken for closed. If it is not, its changes
 * are sent by two tabs: the server knows them by their id, and each happens once. */
class ClockLock implements TabLock {
  readonly id = newChangeId();

  constructor(private readonly storage: Storage) {
    this.beat();
    setInterval(() => this.beat(), tick);
    window.addEventListener("pageshow", () => this.beat());
    window.addEventListener("pagehide", () => storage.removeItem(name(this.id)));
  }

  ifClosed(tab: string, then: () => void): Promise<void> {
    const last = Number(this.storage.getItem(name(tab)) ?? 0);
    if (Date.now() - last > dead) {
      then();
      this.storage.removeItem(name(tab));
    }
    return Promise.resolve();
  }

  private beat(): void {
    try {
      this.storage.setItem(name(this.id), String(Date.now()));
    } catch {
      // Full: then there is no space for changes either, and the shelf says so.
    }
  }
}
