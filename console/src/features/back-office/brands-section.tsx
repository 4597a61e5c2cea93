import { type AnswerOf, operator } from '@busbar/contract'
import { type ReactNode, useMemo, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatNumber, useLang, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import type { Bulk } from '../../shared/ui/dialogs/bulk-dialog.tsx'
import { NameCell, RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { type Act, ActDialog } from './act-dialog.tsx'
import { BrandForm } from './brand-form.tsx'
import { OperatorBulk } from './operator-bulk.tsx'
import { brandsQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { useOnly, useOperatorList } from './use-operator-list.ts'

type BrandRow = AnswerOf<typeof operator.listBrands>['list'][number]

const keyOf = ({ id }: BrandRow) => id

/** The brands of the product by host. */
export function BrandsSection(): ReactNode {
  const all = useOperatorText()
  const t = all.brands
  const { table } = useText()
  const lang = useLang()
  const list = useOperatorList({ id: 'brands', queryOf: brandsQuery, only: 'used' })
  const filters = useOnly<BrandRow>(t.columns.brand, t.filters)
  const [opened, setOpened] = useState<BrandRow | 'new'>()
  const [act, setAct] = useState<Act>()
  const [bulk, setBulk] = useState<Bulk<BrandRow>>()

  const columns = useMemo((): readonly TableColumn<BrandRow>[] => {
    const other = lang === 'cn' ? 'en' : 'cn'
    const ask = ({ id, archivedAt, platformName, hosts }: BrandRow) => {
      const onDone = () => showToast(all.done)
      const name = platformName[lang]
      const at = hosts.join(', ') || t.noHosts
      if (archivedAt === null)
        setAct({
          title: t.confirmArchive(name),
          body: t.confirmArchiveBody(at),
          action: t.archive,
          danger: true,
          run: () => call(operator.archiveBrand, { id }, { noNotice: true }),
          onDone,
        })
      else
        setAct({
          title: t.confirmUnarchive(name),
          body: t.confirmUnarchiveBody(at),
          action: t.unarchive,
          run: () => call(operator.unarchiveBrand, { id }, { noNotice: true }),
          onDone,
        })
    }
    return [
      {
        id: 'brand',
        title: t.columns.brand,
        ...{ width: 180, grow: 1.4, rank: 0, pinned: 'start', card: 'name' },
        value: ({ platformName }) => platformName[lang],
        cell: ({ platformName, isDefault, archivedAt }) => (
          <NameCell
            name={platformName[lang]}
            minor={platformName[other]}
            tags={
              <>
                {isDefault && <Tag>{t.default}</Tag>}
                {archivedAt !== null && <Tag>{t.archived}</Tag>}
              </>
            }
          />
        ),
      },
      {
        id: 'hosts',
        title: t.columns.hosts,
        ...{ width: 160, grow: 1.6, rank: 2, card: 'plain' },
        value: ({ hosts }) => hosts.join(', ') || t.noHosts,
      },
      {
        id: 'versions',
        title: t.columns.versions,
        ...{ width: 100, rank: 4 },
        value: ({ versions }) => versions.pc.latest,
      },
      {
        id: 'sender',
        title: t.columns.sender,
        ...{ width: 150, grow: 1, rank: 3, card: 'plain' },
        value: ({ emailSender }) => emailSender || t.ownSender,
      },
      actionsColumn<BrandRow>(table.actions, 150, (brand) => (
        <RowActions>
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
        </RowActions>
      )),
    ]
  }, [t, all, table, lang])

  const askMany = (brands: readonly BrandRow[], isArchiving: boolean) => {
    const action = isArchiving ? t.archive : t.unarchive
    const hosts = brands.flatMap((brand) => brand.hosts).join(', ') || t.noHosts
    const route = isArchiving ? operator.archiveBrand : operator.unarchiveBrand
    setBulk({
      title: all.bulk(action, brands.length),
      body: isArchiving ? t.confirmArchiveBody(hosts) : t.confirmUnarchiveBody(hosts),
      action,
      danger: isArchiving,
      rows: brands,
      keyOf,
      nameOf: ({ platformName }) => platformName[lang],
      run: ({ id }) => call(route, { id }, { noNotice: true }),
      done: all.done,
    })
  }

  return (
    <>
      <DataTable
        {...list}
        title={all.parts.brands}
        lead={t.lead}
        columns={columns}
        filters={filters}
        rowKey={keyOf}
        rowName={({ platformName }) => platformName[lang]}
        search={t.search}
        fileName={all.parts.brands}
        onOpen={setOpened}
        empty={{ icon: 'star', title: t.empty }}
        bulk={(brands) => {
          const used = brands.filter(({ archivedAt, isDefault }) => archivedAt === null && !isDefault)
          const archived = brands.filter(({ archivedAt }) => archivedAt !== null)
          return (
            <>
              {used.length > 0 && (
                <Button size="small" onClick={() => askMany(used, true)}>
                  {t.archive} ({formatNumber(used.length)})
                </Button>
              )}
              {archived.length > 0 && (
                <Button size="small" onClick={() => askMany(archived, false)}>
                  {t.unarchive} ({formatNumber(archived.length)})
                </Button>
              )}
            </>
          )
        }}
        actions={
          <Button kind="primary" icon="plus" onClick={() => setOpened('new')}>
            {t.add}
          </Button>
        }
      />
      {act && <ActDialog act={act} onClose={() => setAct(undefined)} />}
      {bulk && <OperatorBulk bulk={bulk} view={list.view} onClose={() => setBulk(undefined)} />}
      {opened && (
        <BrandForm brand={opened === 'new' ? undefined : opened} onClose={() => setOpened(undefined)} />
      )}
    </>
  )
}
