import { adoptStyle } from '../adopt-style.ts'
import './elements.ts'
import style from './menus.css' with { type: 'text' }

adoptStyle(style)

export { connectAudioMenu } from './audio-menu.ts'
export { connectCaptionsMenu } from './captions-menu.ts'
export { connectRadioMenu } from './radio-menu.ts'
export { fillSeekMenu } from './seek-menu.ts'
export { connectSettings } from './settings.ts'
