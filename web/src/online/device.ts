// A session is known by the name that the program gives itself, which for browsers is long: what people recognise of it.

const browsers: [RegExp, string][] = [
	[/\bEdg(e|A|iOS)?\//, 'Edge'],
	[/\bOPR\//, 'Opera'],
	[/\bFirefox\/|\bFxiOS\//, 'Firefox'],
	[/\bChrom(e|ium)\/|\bCriOS\//, 'Chrome'],
	[/\bSafari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
	[/\bAndroid\b/, 'Android'],
	[/\b(iPhone|iPad)\b/, 'iOS'],
	[/\bMac OS X\b/, 'macOS'],
	[/\bWindows\b/, 'Windows'],
	[/\bLinux\b/, 'Linux'],
];

/** Such as "Firefox, Linux"; a program that is no browser keeps its name. */
export function deviceOf(label: string): string {
	const found = [browsers, systems].map((list) => list.find(([pattern]) => pattern.test(label))?.[1]);
	const known = found.filter((name) => name !== undefined);
	return label.startsWith('Mozilla/') && known.length > 0 ? known.join(', ') : label;
}
