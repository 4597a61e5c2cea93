import type { ReactNode } from 'react'
import { Grid } from '../layout/layout.tsx'
import css from './pane.module.css'

/** Names and values in two columns; empty values are left out. */
export function FactList({
  title,
  facts,
}: {
  title: string
  facts: readonly [name: string, value: ReactNode][]
}) {
  return (
    <section className={`${css.section} ${css.known}`} data-subject="" aria-label={title}>
      <h3>{title}</h3>
      <Grid as="dl" above={10} columns={2} gap="10 16" className={css.facts}>
        {facts
          .filter(([, value]) => value !== '' && value !== undefined && value !== null && value !== false)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </Grid>
    </section>
  )
}
