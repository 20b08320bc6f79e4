export function measureSpeed(): void {}
