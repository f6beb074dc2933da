// A QR code as one path.

import qrcode from 'qrcode-generator';

export type Qr = { size: number; path: string };

/** The code of a text, a unit for each module, without the empty border. */
export function qr(text: string): Qr {
	const code = qrcode(0, 'M');
	code.addData(text, 'Byte');
	code.make();
	const size = code.getModuleCount();
	let path = '';
	for (let row = 0; row < size; row += 1) {
		for (let column = 0; column < size; column += 1) {
			let length = 0;
			while (column + length < size && code.isDark(row, column + length)) length += 1;
			if (length > 0) path += `M${column} ${row}h${length}v1h-${length}z`;
			column += length;
		}
	}
	return { size, path };
}
