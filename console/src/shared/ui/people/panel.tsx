import { type ReactNode, useId } from 'react'
import { Row, Text } from '../layout/layout.tsx'
import css from './panel.module.css'

interface PanelProps {
  title: string
  lead?: string | undefined
  children: ReactNode
}

/** A bordered part of a page, with its head. */
export function Panel({ title, lead, children }: PanelProps) {
  const id = useId()
  return (
    <section className={css.panel} aria-labelledby={id}>
      <Row as="header" pad="14 16" gap="10 16" wraps>
        <div className={css.words}>
          <Row id={id} as="h2" gap={8} align="baseline" size="16/22">
            {title}
          </Row>
          {lead && (
            <Text as="p" tone="quiet" pretty>
              {lead}
            </Text>
          )}
        </div>
      </Row>
      {children}
    </section>
  )
}
