/**
 * The picture of a page that says what happened, as the `d` of an SVG path on a grid of 24 × 24. Those of `cloudOff`, `nothing`,
 * `passkey`, `phone`, `refresh`, `shield`, `ticket`, `unlink`, `waiting` and `world` are from Tabler Icons (MIT licence, NOTICE).
 */
const SIGNS = {
  chip: 'M6 5h12a1 1 0 0 1 1 1v12a1 1 0 0 1 -1 1h-12a1 1 0 0 1 -1 -1v-12a1 1 0 0 1 1 -1zM9.5 9.5h5v5h-5zM2.5 10h2.5M2.5 14h2.5M19 10h2.5M19 14h2.5M10 2.5v2.5M14 2.5v2.5M10 19v2.5M14 19v2.5',
  clock: 'M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M12 7v5l3 2',
  cloudOff:
    'M9.58 5.548c.24 -.11 .492 -.207 .752 -.286c1.88 -.572 3.956 -.193 5.444 1c1.488 1.19 2.162 3.007 1.77 4.769h.99c1.913 0 3.464 1.56 3.464 3.486c0 .957 -.383 1.824 -1.003 2.454m-2.997 1.033h-11.343c-2.572 -.004 -4.657 -2.011 -4.657 -4.487c0 -2.475 2.085 -4.482 4.657 -4.482c.13 -.582 .37 -1.128 .7 -1.62M3 3l18 18',
  lock: 'M7 10.5h10a2.5 2.5 0 0 1 2.5 2.5v5a2.5 2.5 0 0 1 -2.5 2.5h-10a2.5 2.5 0 0 1 -2.5 -2.5v-5a2.5 2.5 0 0 1 2.5 -2.5zM8 10.5v-3a4 4 0 0 1 8 0v3M12 14.5v2',
  nothing:
    'M5.039 5.062a7 7 0 0 0 9.91 9.89m1.584 -2.434a7 7 0 0 0 -9.038 -9.057M21 21l-4.5 -4.5M3 3l12 12',
  passkey:
    'M18.9 7a8 8 0 0 1 1.1 5v1a6 6 0 0 0 .8 3M8 11a4 4 0 0 1 8 0v1a10 10 0 0 0 2 6M12 11v2a14 14 0 0 0 2.5 8M8 15a18 18 0 0 0 1.8 6M4.9 19a22 22 0 0 1 -.9 -7v-1a8 8 0 0 1 12 -6.95',
  phone:
    'M6 5a2 2 0 0 1 2 -2h8a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-8a2 2 0 0 1 -2 -2v-14M11 4h2M12 17v.01',
  refresh: 'M20 11a8.1 8.1 0 0 0 -15.5 -2m-.5 -4v4h4M4 13a8.1 8.1 0 0 0 15.5 2m.5 4v-4h-4',
  screenOff:
    'M8 4h12a1 1 0 0 1 1 1v10c0 .3 -.1 .6 -.4 .8M16 16h-12a1 1 0 0 1 -1 -1v-10c0 -.4 .2 -.7 .5 -.9M7 20h10M10 16v4M14 16v4M3 3l18 18',
  shield: 'M12 3a12 12 0 0 0 8.5 3a12 12 0 0 1 -8.5 15a12 12 0 0 1 -8.5 -15a12 12 0 0 0 8.5 -3',
  ticket:
    'M15 5v2M15 11v2M15 17v2M5 5h14a2 2 0 0 1 2 2v3a2 2 0 0 0 0 4v3a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-3a2 2 0 0 0 0 -4v-3a2 2 0 0 1 2 -2',
  unlink:
    'M17 22v-2M9 15l6 -6M11 6l.463 -.536a5 5 0 0 1 7.071 7.072l-.534 .464M13 18l-.397 .534a5.068 5.068 0 0 1 -7.127 0a4.972 4.972 0 0 1 0 -7.071l.524 -.463M20 17h2M2 7h2M7 2v2',
  videoOff:
    'M8 4h10a2 2 0 0 1 2 2v10M18.7 19.3a2 2 0 0 1 -.7 .7h-12a2 2 0 0 1 -2 -2v-12c0 -.4 .1 -.7 .3 -1M10 10v5.5l3.2 -2M3 3l18 18',
  waiting:
    'M6.5 7h11M6.5 17h11M6 20v-2a6 6 0 1 1 12 0v2a1 1 0 0 1 -1 1h-10a1 1 0 0 1 -1 -1M6 4v2a6 6 0 1 0 12 0v-2a1 1 0 0 0 -1 -1h-10a1 1 0 0 0 -1 1',
  /** The same as that of the player's errors (`player/client/controls/feedback.ts`). */
  warning:
    'M12 8.5v5M12 17h.01M10.3 3.9 2.4 17.6A2 2 0 0 0 4.1 20.6h15.8a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0Z',
  window:
    'M5 4h14a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-12a2 2 0 0 1 2 -2zM3 9h18M6.5 6.5h.01M9.5 6.5h.01M10 14.5h5M13 12.5l2 2l-2 2',
  world:
    'M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M3.6 9h16.8M3.6 15h16.8M11.5 3a17 17 0 0 0 0 18M12.5 3a17 17 0 0 1 0 18',
} as const

export type SignName = keyof typeof SIGNS

/** Returns the SVG element of a sign. A page has one, and its words say the same. */
export const sign = (name: SignName, className = 'sign'): string =>
  `<svg class="${className}" viewBox="0 0 24 24" aria-hidden="true"><path d="${SIGNS[name]}"/></svg>`
