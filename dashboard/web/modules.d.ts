/** The icons are imported file by file: the package's index holds thousands of modules. */
declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  const icon: import('react').ComponentType<{
    size?: number | string
    stroke?: number | string
    className?: string
  }>
  export default icon
}

declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export default classes
}

declare module '*.css'
