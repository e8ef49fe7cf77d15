import { adoptStyle } from '../adopt-style.ts'
import helpStyle from './help.css' with { type: 'text' }
import moreStyle from './more.css' with { type: 'text' }

adoptStyle(moreStyle + helpStyle)

export { openCaptionPanel } from './caption-panel.ts'
export { openContextMenu } from './context-menu.ts'
export { toggleHelp } from './help-sheet.ts'
export { toggleStatistics } from './statistics.ts'
export { openTranscript } from './transcript.ts'
