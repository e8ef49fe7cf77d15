/**
 * The design language as a theme of Redoc, which is light only. It computes shades from its colours, so these are the values of
 * `design/colours.css`; `docs.test.ts` compares them. Faces are drawn by the browser alone.
 */
export const REDOC_THEME = {
  colors: {
    primary: { main: '#127864' },
    success: { main: '#188a3c' },
    error: { main: '#c5281f' },
    text: { primary: '#14181b', secondary: '#59626a' },
    border: { dark: '#d8dcdf', light: '#e6e9eb' },
  },
  schema: { nestedBackground: '#f7f8f8', linesColor: '#c1c7cc', typeNameColor: '#59626a' },
  typography: {
    fontSize: '14px',
    lineHeight: '1.55',
    fontFamily: 'var(--font)',
    smoothing: 'auto',
    headings: { fontFamily: 'var(--font)', fontWeight: '600', lineHeight: '1.3' },
    code: {
      fontSize: '13px',
      fontFamily: 'var(--font-code)',
      color: '#293036',
      backgroundColor: '#f0f2f3',
    },
    links: { color: '#0d6453', visited: '#0d6453', hover: '#0a4f43' },
  },
  sidebar: { backgroundColor: '#f7f8f8', textColor: '#414a51', activeTextColor: '#0d6453' },
  rightPanel: { backgroundColor: '#14181b' },
  codeBlock: { backgroundColor: '#0f1213' },
}
