"use client";

import "../../unused.js";

export default function Page() {
  return null;
}
