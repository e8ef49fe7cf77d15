import { startDashboard } from './start-dashboard.ts'
import { loadWeb } from './web-files.ts'

startDashboard(loadWeb)
