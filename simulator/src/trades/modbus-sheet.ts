import type { Texts } from './trade.ts'

/** The machine behind the Modbus TCP server: an agent reports it, so it has no tags of its own here. */
export const modbusSheet: {
  id: string
  machineType: string
  model: string
  name: Texts
  remark: Texts
  place: { lat: number; lng: number; address: Texts }
} = {
  id: 'modbus',
  machineType: 'pasteuriser',
  model: 'PZ-5000',
  name: { cn: '巴氏杀菌机 PZ-5', en: 'Pasteuriser PZ-5' },
  remark: { cn: '奶处理', en: 'Dairy' },
  place: {
    lat: 40.8426,
    lng: 111.7492,
    address: { cn: '内蒙古呼和浩特市乳品厂', en: 'Dairy plant, Hohhot' },
  },
}
