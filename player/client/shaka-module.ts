// Its own module: loaded beside ours, and without the global that Shaka Player makes as a script.
export { default } from 'shaka-player/dist/shaka-player.dash-es2021.js'
