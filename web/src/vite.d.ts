declare module '*.md?html' {
	export const html: string;
}
declare module '*.wasm?url' {
	const url: string;
	export default url;
}
