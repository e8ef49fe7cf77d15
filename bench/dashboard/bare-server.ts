// The anchor of the time to interactive: the dashboard itself, but its app is a bare page with the same React
// and router. Sign-in, policy, compression and operations are those of the dashboard.
import { Router } from 'express'
import { startDashboard } from '../../dashboard/server/start-dashboard.ts'
import { prepareWeb, webRouter } from '../../dashboard/server/web-files.ts'

startDashboard(async () => {
  const web = await prepareWeb('bench/dashboard/bare-page.tsx')
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Bare</title>
<link rel="icon" href="data:,">
<script type="module" src="${web.scriptPaths[0]}"></script>
</head>
<body><div id="app"></div></body>
</html>
`
  return Router()
    .get('/accounts/{*page}', (_request, response) => void response.type('html').send(page))
    .use(webRouter(web))
})
