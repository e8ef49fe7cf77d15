/**
 * Shows a ripple that grows from a tap over its half of the picture, with the seconds that all taps of the
 * row seek. Screen readers get the new position from the announcement instead.
 */
export function showRipple(
  video: HTMLVideoElement,
  { clientX, clientY }: { clientX: number; clientY: number },
  { side, seconds }: { side: number; seconds: number },
): void {
  document.querySelector('.ripple')?.remove()
  const { left, top } = video.getBoundingClientRect()
  const half = side < 0 ? left : left + video.clientWidth / 2
  const ripple = document.createElement('div')
  ripple.className = `ripple ${side < 0 ? 'back' : 'forward'}`
  ripple.slot = 'centered-chrome'
  ripple.toggleAttribute('noautohide', true)
  ripple.ariaHidden = 'true'
  ripple.style.setProperty('--x', `${clientX - half}px`)
  ripple.style.setProperty('--y', `${clientY - top}px`)
  ripple.textContent = secondsText(seconds)
  ripple.addEventListener('animationend', ({ animationName }) => {
    if (animationName === 'ripple-end') ripple.remove()
  })
  video.after(ripple)
}

/** Such as `+20 s`, in the digits and with the unit of the viewer's language. */
const secondsText = (seconds: number): string =>
  new Intl.NumberFormat(document.documentElement.lang, {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'short',
    signDisplay: 'always',
  }).format(seconds)
