expected=$(awk -F, 'NR > 1 { sum += $2 * $3 } END { print sum }' orders.csv)
if [ "$(cat total.txt)" = "$expected" ]; then
  echo "the total is right"
else
  echo "the total should be $expected"
  exit 1
fi
