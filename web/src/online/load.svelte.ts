// Something that is fetched: there, on its way, or not to be had.

export class Loaded<T> {
	value = $state.raw<T | null>(null);
	error = $state.raw<unknown>(null);
	busy = $state(false);
	#latest = 0;

	/** Fetches it; what comes after something newer was asked for is left alone. */
	async from(fetch: () => Promise<T>): Promise<void> {
		const mine = ++this.#latest;
		this.busy = true;
		try {
			const value = await fetch();
			if (mine !== this.#latest) return;
			this.value = value;
			this.error = null;
		} catch (error) {
			if (mine !== this.#latest) return;
			this.error = error;
		}
		this.busy = false;
	}
}
