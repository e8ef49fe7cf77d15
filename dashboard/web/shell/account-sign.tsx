import classes from './shell.module.css'

/** The first letter of an account's name in a coloured square. */
export const AccountSign = ({ name }: { name: string }) => (
  <span className={classes.initial} aria-hidden>
    {/^./u.exec(name)?.[0].toUpperCase()}
  </span>
)
