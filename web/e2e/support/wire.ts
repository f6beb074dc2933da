// The wire between a browser and the server, which can be cut.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export class Wire {
	readonly #sockets = new Set<Socket>();
	#cut = false;
	readonly #server;

	private constructor(server: string) {
		const { hostname, port } = new URL(server);
		this.#server = createServer((near) => {
			if (this.#cut) return near.destroy();
			const far = connect(Number(port), hostname);
			for (const [socket, other] of [[near, far], [far, near]] as const) {
				this.#sockets.add(socket);
				socket.pipe(other);
				socket.on('error', () => other.destroy());
				socket.on('close', () => {
					this.#sockets.delete(socket);
					other.destroy();
				});
			}
		});
	}

	static async to(server: string): Promise<Wire> {
		const wire = new Wire(server);
		wire.#server.listen(0, '127.0.0.1');
		await once(wire.#server, 'listening');
		return wire;
	}

	get address(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	cut(): void {
		this.#cut = true;
		for (const socket of this.#sockets) socket.destroy();
	}

	mend(): void {
		this.#cut = false;
	}

	close(): void {
		this.cut();
		this.#server.close();
	}
}
