import { ReelgateVideo } from './reelgate-video.ts'

// A page may load the script twice, as module and as script.
if (!customElements.get('reelgate-video')) customElements.define('reelgate-video', ReelgateVideo)
