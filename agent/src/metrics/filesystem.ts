import { gauge, type MetricPoint } from './metric-point.js'

/** A file system that is mounted. */
export interface Mount {
  readonly device: string
  readonly mountpoint: string
  readonly type: string
}

/** What `statfs` reports of one. */
export interface FilesystemSize {
  readonly bsize: number
  readonly blocks: number
  readonly bfree: number
  readonly bavail: number
  readonly files: number
  readonly ffree: number
}

/** Images are always full. */
const IMAGES: ReadonlySet<string> = new Set(['squashfs', 'iso9660', 'erofs', 'cramfs', 'udf'])

/** Types of file systems on disks, of `/proc/filesystems`: others are of the kernel, or on the network, where they hang. */
export function parseDiskTypes(text: string): ReadonlySet<string> {
  const types = text.split('\n').filter(line => line !== '' && !line.startsWith('nodev'))
  return new Set(['zfs', ...types.map(line => line.trim())].filter(type => !IMAGES.has(type)))
}

function unescape(value: string): string {
  return value.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)))
}

/** Mounted file systems on disks, of `/proc/self/mounts`: one mount of each device, at the shortest path. */
export function parseMounts(text: string, types: ReadonlySet<string>): readonly Mount[] {
  const mounts = new Map<string, Mount>()
  for (const line of text.split('\n')) {
    const [device, path, type] = line.split(' ')
    if (device === undefined || path === undefined || type === undefined || !types.has(type)) continue
    const mount = { device: unescape(device), mountpoint: unescape(path), type }
    const known = mounts.get(mount.device)
    if (known === undefined || mount.mountpoint.length < known.mountpoint.length) mounts.set(mount.device, mount)
  }
  return [...mounts.values()]
}

/** Use of a file system; the percentage is that of df: of what users can have. */
export function filesystemPoints(mount: Mount, size: FilesystemSize): readonly MetricPoint[] {
  const { device, mountpoint, type } = mount
  const labels = { device, mountpoint, type }
  const { bsize, blocks, bfree, bavail, files, ffree } = size
  if (blocks === 0) return []
  const used = blocks - bfree
  const states = { used, free: bavail, reserved: bfree - bavail }
  return [
    ...Object.entries(states).map(([state, count]) => gauge('system.filesystem.usage', count * bsize, { ...labels, state })),
    gauge('system.disk.usage_percent', (used / Math.max(1, used + bavail)) * 100, labels),
    // Some file systems make inodes as they need them.
    ...(files === 0 ? [] : [gauge('system.disk.inodes_percent', ((files - ffree) / files) * 100, labels)])
  ]
}
