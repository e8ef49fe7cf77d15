import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineTransition,
} from '@mantine/core'

/** The shades of a scale of `design/colours.css`, which follow from it in each colour scheme. */
const scale = (name: string): MantineColorsTuple => [
  `var(--${name}-0)`,
  `var(--${name}-1)`,
  `var(--${name}-2)`,
  `var(--${name}-3)`,
  `var(--${name}-4)`,
  `var(--${name}-5)`,
  `var(--${name}-6)`,
  `var(--${name}-7)`,
  `var(--${name}-8)`,
  `var(--${name}-9)`,
]

/** `--moderate`: how long a dialog or a panel takes to open. The kit animates by scripts, which read no sheet. */
const MODERATE_MS = 160

const opening = (transition: MantineTransition) => ({ transition, duration: MODERATE_MS })

/** The design language (`design/`) as the kit reads it. */
export const theme = createTheme({
  colors: { pine: scale('pine'), gray: scale('gray'), dark: scale('dark'), red: scale('red') },
  primaryColor: 'pine',
  primaryShade: 6,
  defaultRadius: 'md',
  respectReducedMotion: true,
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-code)',
  fontSizes: {
    xs: 'var(--text-xs)',
    sm: 'var(--text-sm)',
    md: 'var(--text-md)',
    lg: 'var(--text-lg)',
    xl: 'var(--text-xl)',
  },
  radius: {
    xs: 'var(--radius-sm)',
    sm: 'var(--radius-sm)',
    md: 'var(--radius-md)',
    lg: 'var(--radius-lg)',
    xl: 'var(--radius-lg)',
  },
  shadows: {
    xs: 'var(--shadow-sm)',
    sm: 'var(--shadow-sm)',
    md: 'var(--shadow-md)',
    lg: 'var(--shadow-lg)',
    xl: 'var(--shadow-lg)',
  },
  headings: {
    fontFamily: 'var(--font)',
    fontWeight: '600',
    sizes: {
      h1: { fontSize: 'var(--text-xl)', lineHeight: '1.3' },
      h2: { fontSize: 'var(--text-lg)', lineHeight: '1.4' },
      h3: { fontSize: 'var(--text-md)', lineHeight: '1.4' },
    },
  },
  cursorType: 'pointer',
  components: {
    // Beside its target: screen readers find it there, within the landmark (Mantine #9200).
    Popover: {
      defaultProps: { withinPortal: false, shadow: 'lg', transitionProps: opening('fade') },
    },
    // The placeholder would be a child of the menu that is no item.
    Menu: {
      defaultProps: {
        withinPortal: false,
        withInitialFocusPlaceholder: false,
        shadow: 'lg',
        transitionProps: opening('fade'),
      },
    },
    Modal: { defaultProps: { transitionProps: opening('fade-up') } },
    Tooltip: { defaultProps: { withinPortal: false } },
    Select: { defaultProps: { comboboxProps: { withinPortal: false } } },
    // The sliders of its picker have no names and no keys: place a ColorPicker with labels beside it.
    ColorInput: { defaultProps: { withPicker: false, popoverProps: { withinPortal: false } } },
  },
})

const COLOURS = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-quiet)',
  '--mantine-color-placeholder': 'var(--text-quiet)',
  '--mantine-color-anchor': 'var(--accent-text)',
  '--mantine-color-error': 'var(--danger-text)',
  '--mantine-color-default': 'var(--raised)',
  '--mantine-color-default-hover': 'var(--sunken)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-primary-color-light': 'var(--accent-soft)',
  '--mantine-primary-color-light-color': 'var(--accent-text)',
}

/** The colours of the kit, from the tokens. Under each scheme: there, the kit's own rules are more specific than `variables`. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: COLOURS,
  dark: COLOURS,
})
