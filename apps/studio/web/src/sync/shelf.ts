// Where changes wait through reloads and crashes: localStorage, one shelf per tab. A tab writes its
// own only; the shelf of a closed tab is taken over by the next that looks.
import { isEntry, type Entry } from "./entry";
import type { TabLock } from "./tab_lock";

const prefix = "caos.changes.";

export class Shelf {
  /** Whether the browser refuses to keep anything: then a reload would lose what is not sent. */
  isBroken = false;

  constructor(
    private readonly storage: Storage,
    private readonly tab: TabLock,
  ) {}

  save(entries: Entry[]): void {
    try {
      if (entries.length === 0) this.storage.removeItem(prefix + this.tab.id);
      else this.storage.setItem(prefix + this.tab.id, JSON.stringify(entries));
      this.isBroken = false;
    } catch {
      this.isBroken = true;
    }
  }

  /** Hands over what closed tabs left. Their shelf is cleared after `take` has saved it here. */
  async adoptClosed(take: (entries: Entry[]) => void): Promise<void> {
    for (const tab of this.otherTabs()) {
      await this.tab.ifClosed(tab, () => {
        const entries = this.read(prefix + tab);
        if (entries.length > 0) take(entries);
        if (!this.isBroken) this.storage.removeItem(prefix + tab);
      });
    }
  }

  private otherTabs(): string[] {
    const tabs: string[] = [];
    for (let index = 0; index < this.storage.length; index++) {
      const key = this.storage.key(index) ?? "";
      if (key.startsWith(prefix)) tabs.push(key.slice(prefix.length));
    }
    return tabs.filter((tab) => tab !== this.tab.id);
  }

  private read(key: string): Entry[] {
    try {
      const found: unknown = JSON.parse(this.storage.getItem(key) ?? "[]");
      return Array.isArray(found) ? found.filter(isEntry) : [];
    } catch {
      return [];
    }
  }
}
