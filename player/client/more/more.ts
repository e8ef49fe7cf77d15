export { openCaptionPanel } from './caption-panel.ts'
export { openContextMenu } from './context-menu.ts'
export { toggleStatistics } from './statistics.ts'
export { openTranscript } from './transcript.ts'
