import classes from './shell.module.css'

/** The sign and the name of the service. */
export const Brand = () => (
  <span className={classes.brand}>
    <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="8" fill="#147a66" />
      <path d="M12 9.5v13l11-6.5z" fill="white" />
    </svg>
    Reelgate
  </span>
)
