// npm run notice: writes NOTICE.
import { writeFile } from 'node:fs/promises'
import { noticeDocument, noticeFile } from './notice-document.ts'

await writeFile(noticeFile, noticeDocument())
