import { type AnswerOf, operator } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { useLang } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { showNotice } from '../../shared/ui/notice-store.ts'
import { type Act, ActDialog } from './act-dialog.tsx'
import { BrandForm } from './brand-form.tsx'
import { Cell, NameCell, OperatorList, rowCss, Tag } from './operator-list.tsx'
import { brandsQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { useList } from './use-list.ts'

type BrandRow = AnswerOf<typeof operator.listBrands>['list'][number]

const template = 'minmax(180px, 1.4fr) minmax(180px, 1.6fr) 130px minmax(140px, 1fr) minmax(170px, 0.8fr)'

/** The product's faces by host. */
export function BrandsSection(): ReactNode {
  const all = useOperatorText()
  const t = all.brands
  const lang = useLang()
  const other = lang === 'cn' ? 'en' : 'cn'
  const state = useList<'used' | 'archived'>('used')
  const query = useQuery(brandsQuery(state.ask))
  const [opened, setOpened] = useState<BrandRow | 'new'>()
  const [act, setAct] = useState<Act>()

  function ask({ id, archivedAt, platformName, hosts }: BrandRow): void {
    const onDone = () => showNotice(all.done)
    const name = platformName[lang]
    if (archivedAt === null)
      setAct({
        title: t.confirmArchive(name),
        body: t.confirmArchiveBody(hosts.join(', ') || t.noHosts),
        action: t.archive,
        danger: true,
        run: () => call(operator.archiveBrand, { id }, { noNotice: true }),
        onDone,
      })
    else
      setAct({
        title: t.confirmUnarchive(name),
        body: t.confirmUnarchiveBody(hosts.join(', ') || t.noHosts),
        action: t.unarchive,
        run: () => call(operator.unarchiveBrand, { id }, { noNotice: true }),
        onDone,
      })
  }

  return (
    <>
      <OperatorList
        title={all.parts.brands}
        lead={t.lead}
        query={query}
        state={state}
        searched={t.search}
        filters={t.filters}
        columns={Object.values(t.columns)}
        template={template}
        empty={{ icon: 'star', title: t.empty }}
        row={(brand) => (
          <li key={brand.id} className={rowCss.row}>
            <NameCell
              name={brand.platformName[lang]}
              minor={brand.platformName[other]}
              tags={
                <>
                  {brand.isDefault && <Tag tone="accent">{t.default}</Tag>}
                  {brand.archivedAt !== null && <Tag>{t.archived}</Tag>}
                </>
              }
            />
            <Cell caption={t.columns.hosts} wide>
              {brand.hosts.join(', ') || t.noHosts}
            </Cell>
            <Cell caption={t.columns.versions}>{brand.versions.pc.latest}</Cell>
            <Cell caption={t.columns.sender}>{brand.emailSender || t.ownSender}</Cell>
            <div className={rowCss.actions}>
              <Button size="small" onClick={() => setOpened(brand)}>
                {t.edit}
                <span className="sr-only">{brand.platformName[lang]}</span>
              </Button>
              {!brand.isDefault && (
                <Button kind="ghost" size="small" onClick={() => ask(brand)}>
                  {brand.archivedAt === null ? t.archive : t.unarchive}
                  <span className="sr-only">{brand.platformName[lang]}</span>
                </Button>
              )}
            </div>
          </li>
        )}
      >
        <Button kind="primary" icon="plus" onClick={() => setOpened('new')}>
          {t.add}
        </Button>
      </OperatorList>
      {act && <ActDialog act={act} onClose={() => setAct(undefined)} />}
      {opened && (
        <BrandForm brand={opened === 'new' ? undefined : opened} onClose={() => setOpened(undefined)} />
      )}
    </>
  )
}
