import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useLang, useText } from '../../shared/i18n/language.ts'
import { toAddress } from '../../shared/session/address.ts'
import { BrandName } from '../../shared/ui/brand-name.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { LanguageButton, ThemeButton } from '../../shared/ui/preference-switches.tsx'
import css from './api-doc-page.module.css'
import { useApiDocText } from './api-doc-text.ts'
import { MethodTag } from './method-tag.tsx'
import { groupOperations, type Operation, searchOperations } from './openapi.ts'
import { OperationView } from './operation-view.tsx'
import { useDocument } from './use-document.ts'

/** Brings the programs, which the reference does not wait for. */
const ProjectGuide = lazy(() => import('./project-guide.tsx'))
/** The address of the guide on the page, after the `#`. */
const guideAnchor = 'projects'

/** The API reference: calls at the left, one of them at the right. The address says which, else it is the first. */
export function ApiDocPage() {
  const t = useApiDocText()
  const { operations, failed, retry } = useDocument()
  const anchor = useAnchor()
  const open = operations.find((operation) => operation.anchor === anchor)
  const isGuide = anchor === guideAnchor
  const [first] = operations
  return (
    <div className={css.layout} data-open={open || isGuide ? '' : undefined}>
      <Row as="header" line="bottom" padX={16} gap={8} className={css.head}>
        <a href={toAddress('/')} className={css.brand}>
          <BrandName />
        </a>
        <Text as="h1" grows tone="soft" size={14} weight={500} oneLine className={css.title}>
          {t.title}
        </Text>
        <LanguageButton />
        <ThemeButton />
      </Row>
      <OperationList operations={operations} open={open ?? (isGuide ? undefined : first)} isGuide={isGuide} />
      <main className={css.main}>
        {failed && operations.length === 0 ? (
          <Failed onRetry={retry} />
        ) : open || isGuide ? (
          <>
            <a href="#list" className={css.back}>
              <Icon name="chevronLeft" size={16} />
              {t.back}
            </a>
            {open ? (
              <OperationView key={open.anchor} operation={open} />
            ) : (
              <Suspense>
                <ProjectGuide />
              </Suspense>
            )}
          </>
        ) : (
          <>
            <Introduction count={operations.length} />
            {first && (
              <div className={css.first}>
                <OperationView operation={first} />
              </div>
            )}
          </>
        )}
      </main>
    </div>
  )
}

function OperationList({
  operations,
  open,
  isGuide,
}: {
  operations: readonly Operation[]
  open: Operation | undefined
  isGuide: boolean
}) {
  const t = useApiDocText()
  const [search, setSearch] = useState('')
  const groups = useMemo(
    () => [...groupOperations(searchOperations(operations, search))],
    [operations, search],
  )
  return (
    <nav className={css.nav} aria-label={t.list}>
      <div className={css.search}>
        <TextField
          label={t.search}
          type="search"
          autoComplete="off"
          spellCheck={false}
          value={search}
          onChange={setSearch}
        />
      </div>
      <a
        href={`#${guideAnchor}`}
        className={`${css.call} ${css.guide}`}
        aria-current={isGuide ? 'page' : undefined}
      >
        {t.guide}
      </a>
      {operations.length > 0 && groups.length === 0 && (
        <Text as="p" pad={16} tone="quiet" role="status">
          {t.none}
        </Text>
      )}
      {groups.map(([group, calls]) => (
        <section key={group} className={css.group}>
          <h2>
            {group} <span className="numbers">{calls.length}</span>
          </h2>
          <ul>
            {calls.map((call) => (
              <li key={call.anchor}>
                <a
                  href={`#${call.anchor}`}
                  className={css.call}
                  aria-current={call === open ? 'page' : undefined}
                  title={call.path}
                >
                  <MethodTag name={call.method} />
                  <Stack as="span" shrinks className={css.names}>
                    <span className="cut">{call.title}</span>
                    <small className="mono cut">{call.path}</small>
                  </Stack>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

/** The rules of every call. */
function Introduction({ count }: { count: number }) {
  const t = useApiDocText()
  const lang = useLang()
  return (
    <Stack gap={12} align="start" tone="soft" size="14/22" className={css.lead}>
      <p>
        {t.lead} {count > 0 && <span className="numbers">{t.count(count)}</span>}
      </p>
      <ul>
        {t.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <a href={`/api/openapi.json?lang=${lang}`}>{t.document}</a>
    </Stack>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const t = useApiDocText()
  const { app } = useText()
  return (
    <Stack role="alert" gap={12} align="start" tone="soft" size="14/22" className={css.failed}>
      <p>{t.failed}</p>
      <Button icon="refresh" onClick={onRetry}>
        {app.retry}
      </Button>
    </Stack>
  )
}

/** The part of the address after the `#`. */
function useAnchor(): string {
  const [anchor, setAnchor] = useState(readAnchor)
  useEffect(() => {
    const onChange = () => {
      setAnchor(readAnchor())
      scrollTo(0, 0)
    }
    addEventListener('hashchange', onChange)
    return () => removeEventListener('hashchange', onChange)
  }, [])
  return anchor
}

const readAnchor = (): string => decodeURIComponent(location.hash.slice(1))
