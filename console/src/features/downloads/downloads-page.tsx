import type { downloads } from '@busbar/contract'
import type { ReactNode } from 'react'
import { formatNumber, joinUnit } from '../../shared/i18n/format-number.ts'
import { useText } from '../../shared/i18n/language.ts'
import { toAddress } from '../../shared/session/address.ts'
import { BrandName } from '../../shared/ui/brand-name.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { copyText } from '../../shared/ui/copy-text.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { Box, Note, Panel, Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { LanguageButton, ThemeButton } from '../../shared/ui/preference-switches.tsx'
import css from './downloads-page.module.css'
import { useDownloadsText } from './downloads-text.ts'
import { useDownloads } from './use-downloads.ts'

/** The programs that connect controllers, in the brand's name. */
export function DownloadsPage() {
  const t = useDownloadsText()
  const { list, isFailed, retry } = useDownloads()
  return (
    <div className={css.page}>
      <Row as="header" line="bottom" padX={16} gap={8} className={css.head}>
        <a href={toAddress('/')} className={css.brand}>
          <BrandName />
        </a>
        <Box grows />
        <LanguageButton />
        <ThemeButton />
      </Row>
      <main className={css.main}>
        <h1>{t.title}</h1>
        <Text as="p" tone="quiet" below={14} pretty>
          {t.lead}
        </Text>
        {list ? (
          <Programs {...list} />
        ) : isFailed ? (
          <None title={t.failed}>
            <Button icon="refresh" onClick={retry}>
              {t.retry}
            </Button>
          </None>
        ) : (
          <div aria-busy="true" />
        )}
      </main>
    </div>
  )
}

const megabyte = 2 ** 20

type Downloads = ReturnType<typeof useDownloads>['list'] & object

function Programs({ state, missing, files, manifestUrl, signatureUrl }: Downloads) {
  const t = useDownloadsText()
  if (state === 'wrong') return <None {...t.wrong} />
  if (state === 'missing' || files.length === 0)
    return <None title={t.missing.title} hint={t.missing.hint(missing ?? '')} />
  return (
    <Stack gap={16}>
      <Row as="p" gap={8} align="start" tone={state === 'signed' ? 'soft' : 'warn'}>
        <Icon name={state === 'signed' ? 'check' : 'warning'} />
        {t.states[state]}
      </Row>
      <Panel className={css.scroll} data-subject="">
        <table className={css.table}>
          <thead>
            <tr>
              {(['system', 'program', 'version', 'size', 'sha256'] as const).map((column) => (
                <th key={column} scope="col">
                  {t.columns[column]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {files.map((file) => (
              <Program key={file.file} file={file} />
            ))}
          </tbody>
        </table>
      </Panel>
      <section>
        <Text as="h2" size="14/20" weight={600} below={6}>
          {t.verify}
        </Text>
        <Note>{t.verifySum}</Note>
        <pre className={css.code}>sha256sum {files[0]?.file}</pre>
        {signatureUrl && (
          <>
            <Note above={10}>{t.verifySignature}</Note>
            <pre className={css.code}>
              {
                'base64 -d manifest.sig >sig\nopenssl pkeyutl -verify -pubin -inkey KEY.pub -rawin -in manifest.json -sigfile sig'
              }
            </pre>
          </>
        )}
        <Row above={10} gap={16}>
          {manifestUrl && (
            <a href={manifestUrl} download className={css.way}>
              {t.manifest}
            </a>
          )}
          {signatureUrl && (
            <a href={signatureUrl} download className={css.way}>
              {t.signature}
            </a>
          )}
        </Row>
      </section>
    </Stack>
  )
}

function Program({
  file: { file, system, program, version, bytes, sha256, url },
}: {
  file: downloads.Download
}) {
  const t = useDownloadsText()
  return (
    <tr>
      <th scope="row">
        <a href={url} download className={css.way} title={file}>
          {t.systems[`${program}/${system}`] ?? t.systems[system] ?? system}
        </a>
      </th>
      <td>{t.programs[program] ?? program}</td>
      <td className="numbers">{version}</td>
      <td className="numbers">{joinUnit(formatNumber(bytes / megabyte, 1), 'MB')}</td>
      <td>
        <Sum sha256={sha256} />
      </td>
    </tr>
  )
}

/** A checksum that a press copies. */
function Sum({ sha256 }: { sha256: string }) {
  const { app } = useText()

  return (
    <Row gap={4}>
      <Text mono breaks size={11} tone="soft" className={css.sum}>
        {sha256}
      </Text>
      <Button kind="ghost" size="small" onClick={() => void copyText(sha256)}>
        {app.copyCode}
      </Button>
    </Row>
  )
}

/** In place of the programs. */
function None({ title, hint, children }: { title: string; hint?: string; children?: ReactNode }) {
  return (
    <Stack pad="20 16" gap={8} align="center" to="center" surface="panel" data-subject="">
      <Text weight={600}>{title}</Text>
      {hint && (
        <Text tone="soft" pretty>
          {hint}
        </Text>
      )}
      {children}
    </Stack>
  )
}
