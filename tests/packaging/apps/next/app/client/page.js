"use client";

import { useEffect } from "react";
import { show } from "../../show.js";
import { work } from "../../work.js";

export default function Page() {
  useEffect(() => void show(work()), []);
  return null;
}
