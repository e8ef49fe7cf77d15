export { openContextMenu } from './context-menu.ts'
export { toggleStatistics } from './statistics.ts'
