expected=$(grep -v "\*" scores.txt | sort -k2 -n -r | head -n 1 | cut -d " " -f 1)
if [ "$(cat winner.txt)" = "$expected" ]; then
  echo "the winner is right"
else
  echo "the winner should be $expected"
  exit 1
fi
