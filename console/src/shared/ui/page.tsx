import type { ReactNode } from 'react'
import { Row, Text } from './layout/layout.tsx'
import css from './page.module.css'

interface PageProps {
  title: string
  /** One sentence that says what this screen is for. */
  lead?: string
  actions?: ReactNode
  children: ReactNode
}

/** A page that scrolls as a whole. Pages with their own grid lay themselves out. */
export function Page({ title, lead, actions, children }: PageProps) {
  return (
    <div className={css.page}>
      <Row as="header" below={14} gap="8 16" wraps className={css.head}>
        <div className={css.words}>
          <h1>{title}</h1>
          {lead && (
            <Text as="p" tone="quiet" pretty>
              {lead}
            </Text>
          )}
        </div>
        {actions && (
          <Row gap={8} align="stretch">
            {actions}
          </Row>
        )}
      </Row>
      {children}
    </div>
  )
}
