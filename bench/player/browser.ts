import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { ensureChromium } from '../../scripts/bootstrap/tools.mjs'

/** A Chromium that may play without a gesture. */
export const launchBrowser = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await ensureChromium(),
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
      '--autoplay-policy=no-user-gesture-required',
    ],
  })
