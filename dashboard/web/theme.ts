import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

/** The accent. Shade 6 carries white text at 5.2:1. */
const pine: MantineColorsTuple = [
  '#effaf6',
  '#d8f0e7',
  '#b1dfcf',
  '#82c9b2',
  '#57b297',
  '#2f957a',
  '#147a66',
  '#0f6655',
  '#0c5144',
  '#083b32',
]

/** Neutral tones with a touch of blue. Shade 6 is the colour of secondary text: 6:1 on white. */
const gray: MantineColorsTuple = [
  '#f8f9fa',
  '#f1f3f5',
  '#e6e8eb',
  '#d9dce0',
  '#c3c8ce',
  '#687076',
  '#5b6369',
  '#434a50',
  '#2b3135',
  '#16191c',
]

/** Text first, then borders and surfaces; shade 7 is the page. */
const dark: MantineColorsTuple = [
  '#e8eaec',
  '#c6cacd',
  '#a5abb0',
  '#8d949a',
  '#3e454a',
  '#2c3236',
  '#22272a',
  '#15181a',
  '#101214',
  '#0a0c0d',
]

/** Refusals and deletions. Shade 6 carries white text, and is read on white, at 5.5:1. */
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#e03131',
  '#c92a2a',
  '#b02525',
  '#9b2020',
  '#861b1b',
]

const FONT =
  'Inter, "Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans Arabic", sans-serif'

/** The look of the dashboard: quiet surfaces, one accent, small type. */
export const theme = createTheme({
  colors: { pine, gray, dark, red },
  primaryColor: 'pine',
  primaryShade: 6,
  defaultRadius: 'md',
  respectReducedMotion: true,
  fontFamily: FONT,
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  headings: {
    fontFamily: FONT,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  cursorType: 'pointer',
  components: {
    // Beside its target: screen readers find it there, within the landmark (Mantine #9200).
    Popover: { defaultProps: { withinPortal: false } },
    // The placeholder would be a child of the menu that is no item.
    Menu: { defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } },
    Tooltip: { defaultProps: { withinPortal: false } },
    Select: { defaultProps: { comboboxProps: { withinPortal: false } } },
    // The sliders of its picker have no names and no keys: place a ColorPicker with labels beside it.
    ColorInput: { defaultProps: { withPicker: false, popoverProps: { withinPortal: false } } },
  },
})

/** Errors at fields are read on the page, which is dark in one scheme. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-error': red[6] },
  dark: { '--mantine-color-error': red[4] },
})
