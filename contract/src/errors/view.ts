import { refusals } from './error-kind.ts'

/** Saved views, and notes on the past of devices. */
export const viewErrors = {
  ...refusals({
    VIEWS_FULL: {
      cn: '视图数量已达上限（200 个），请先删除不用的视图',
      en: 'There are 200 saved views, which is the maximum. Delete a view first.',
    },
    ANNOTATION_SPAN: {
      cn: '标注的结束时间不能早于开始时间',
      en: 'The note can’t end before it starts',
    },
    ANNOTATIONS_FULL: {
      cn: '其中一台设备的标注已达上限（2000 条），请先删除不用的标注',
      en: 'One of the devices has 2,000 notes, which is the maximum. Delete some first.',
    },
  }),
}
