import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { BrandName } from '../../shared/ui/brand-name.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Text } from '../../shared/ui/layout/layout.tsx'
import { LanguageButton, ThemeButton } from '../../shared/ui/preference-switches.tsx'
import { SkipLink } from '../../shared/ui/skip-link.tsx'
import css from './person-frame.module.css'

interface PersonFrameProps {
  title: string
  lead?: string
  children: ReactNode
}

/** Screens about the person, without header and menu: a way back, and one column. */
export function PersonFrame({ title, lead, children }: PersonFrameProps) {
  const t = useText().account
  return (
    <div className={css.frame}>
      <SkipLink />
      <Row as="header" surface="plain" line="bottom" gap={4} className={css.head}>
        <Link to="/index/" className={css.brand}>
          <BrandName />
        </Link>
        <LanguageButton />
        <ThemeButton />
      </Row>
      <main id="content" tabIndex={-1} className={css.main}>
        <div className={css.column}>
          <Link to="/index/" className={css.back}>
            <Icon name="chevronLeft" />
            {t.home}
          </Link>
          <h1>{title}</h1>
          {lead && (
            <Text as="p" tone="quiet" pretty>
              {lead}
            </Text>
          )}
          {children}
        </div>
      </main>
    </div>
  )
}
