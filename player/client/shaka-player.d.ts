declare module 'shaka-player/dist/shaka-player.dash-es2021.js' {
  const shaka: import('./shaka.ts').ShakaNamespace
  export default shaka
}
